import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Environment, ROOT } from '../environment.ts'
import { requireNotExported } from '../move/exported-mark.ts'
import { claimDataDir, findPlatform } from '../running.ts'
import { FILES } from './backup-folder.ts'
import { compareWithCheckpoints, verifyLedger } from './check-restored.ts'
import { copyGrown, getCheckpointsPath, listLongerFiles } from './checkpoint-copies.ts'
import { formatSeconds } from './command.ts'
import { FOLDER_MODE } from './durable-files.ts'
import { addErasures } from './erasures.ts'
import { getIncompletePath, markRestoreUnfinished } from './incomplete.ts'
import { openStore } from './open-store.ts'
import type { StoredBackup } from './store.ts'
import { prepareTargetFolder } from './target-folder.ts'
import { discardWaitingMails } from './waiting-mails.ts'

export interface RestoreOrder {
  readonly environment: Environment
  readonly backupDir: string
  /** The data directory to restore. */
  readonly into: string
  /** The time of the state to restore, or null for the newest state. */
  readonly until: Date | null
  /** The first backup to try, or null for the newest suitable backup. */
  readonly named: string | null
  readonly isSettingAside: boolean
  readonly print: (line: string) => void
}

/**
 * Restores a data directory: secrets, checkpoints and database. Repeats the deletions of people and
 * verifies the ledgers. Never deletes a data directory.
 */
export async function restorePlatform(order: RestoreOrder): Promise<void> {
  const { backupDir, into, until, named, print } = order
  requireNotExported(order.environment.dataDir)
  requireNotExported(into)
  const began = new Date()
  const backup = await openStore(order.environment, backupDir).find({ until, named })
  const aside = await prepareTargetFolder(order)
  await mkdir(into, { recursive: true, mode: FOLDER_MODE })
  const claim = await claimDataDir(into, print)
  try {
    await markRestoreUnfinished(into, aside)
    print(`restoring ${backup.name} into ${into}`)
    await restoreCheckpoints(order, aside)
    const missing = await restoreDatabase(order, { backup, aside, began })
    await rm(getIncompletePath(into))
    printEnd(order, { missing, began })
  } finally {
    await claim.release()
  }
}

/**
 * Copies each checkpoint file from the folder in which the file is longest. Checkpoints that the
 * restored log does not contain are kept too, because they prove which events were lost. While
 * these events are missing, the ledger does not start.
 */
async function restoreCheckpoints(
  { environment, backupDir, into }: RestoreOrder,
  aside: string | null,
): Promise<void> {
  const to = getCheckpointsPath(into)
  const known = [backupDir, environment.dataDir, ...(aside === null ? [] : [aside])]
  for (const dir of known.filter((name) => name !== into)) {
    const from = getCheckpointsPath(dir)
    await copyGrown(await listLongerFiles(from, to), { from, to })
  }
}

/**
 * Recovers the database, repeats the deletions of people and checks the ledgers. Returns the number
 * of signed events that the restored ledgers do not contain.
 */
async function restoreDatabase(
  order: RestoreOrder,
  { backup, aside, began }: { backup: StoredBackup; aside: string | null; began: Date },
): Promise<number> {
  const { environment, backupDir, into, until, print } = order
  const lost = findLostServer(order, aside)
  const server = await backup.recover({ until, into, lost, print })
  try {
    print(`recovered in ${formatSeconds(began)}`)
    const url = server.ownerUrl
    await addErasures(url, backupDir)
    await repeatErasures({
      ...environment.objectStore,
      GATEWAY_DATABASE_URL: server.gatewayUrl,
      PUBLIC_URL: environment.publicUrl,
    })
    if (until !== null) {
      const count = await discardWaitingMails(url, { ledger: environment.ledger })
      if (count > 0) print(`${count} mails that waited at that time are not sent again`)
    }
    let missing = 0
    for (let ledger = 1; ledger <= environment.ledgers; ledger += 1) {
      missing += await checkLedger({ url, ledger, order })
    }
    return missing
  } finally {
    await server.stop()
  }
}

/**
 * Returns the folder of the replaced server, or null. The last part of this server's write-ahead
 * log may not be archived.
 */
function findLostServer({ environment, into }: RestoreOrder, aside: string | null): string | null {
  const dir = aside ?? environment.dataDir
  const files = join(dir, FILES)
  if (dir === into || findPlatform(dir) !== null || !existsSync(files)) return null
  return files
}

/** Deletes again the people who were deleted after the restored time. */
function repeatErasures(variables: Readonly<Record<string, string>>): Promise<void> {
  const program = join(ROOT, 'api-gateway', 'src', 'admin.ts')
  const child = spawn(process.execPath, [program, 'repeat-erasures'], {
    stdio: 'inherit',
    env: { ...process.env, ...variables, DEMO: '0' },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error('deleted people could not be deleted again, see the line above'))
    })
  })
}

async function checkLedger(check: {
  url: string
  ledger: number
  order: RestoreOrder
}): Promise<number> {
  const { url, ledger, order } = check
  if (!(await verifyLedger(url, ledger))) {
    throw new Error(
      `ledger ${ledger}: the restored log contradicts itself, see the lines above: ` +
        'restore another backup with --backup',
    )
  }
  const folder = getCheckpointsPath(order.into)
  const { events, compared, different, missing } = await compareWithCheckpoints({
    url,
    ledger,
    folder,
  })
  if (different !== null) {
    throw new Error(
      `ledger ${ledger}: the checkpoint of ${different} events in ${folder} differs from the checkpoint in the ` +
        'restored log: find out which of the two was changed',
    )
  }
  const agreement =
    compared === null
      ? 'there is no checkpoint outside the database to compare with'
      : `the checkpoint of ${compared} events outside the database agrees`
  order.print(`ledger ${ledger}: ${events} events; ${agreement}`)
  if (missing > 0) order.print(`ledger ${ledger}: ${missing} signed events are missing`)
  return missing
}

function printEnd(order: RestoreOrder, { missing, began }: { missing: number; began: Date }): void {
  const { into, until, environment, print } = order
  const state = until === null ? 'the newest archived state' : `the state of ${until.toISOString()}`
  const place = into === environment.dataDir ? '' : `DATA_DIR=${into} `
  print(`restored ${state} in ${formatSeconds(began)}`)
  if (environment.databaseUrl !== null) {
    print(
      `Set pg1-path of pgBackRest to ${join(into, FILES)}, start PostgreSQL on it with the settings of the lost server, and let DATABASE_URL name it.`,
    )
  }
  if (missing > 0) {
    print(
      'The ledger refuses to start on this state, because signed events are missing. Restore a newer state, ' +
        'keep it for inspection, or accept the loss of these events and continue with:',
    )
    print(`${place}npm run ledger -- declare-fork --reason 'WHY'`)
    return
  }
  print(
    environment.databaseUrl === null
      ? `${place}npm start starts the restored platform. Run npm run backup afterwards.`
      : 'Bring back the secrets and checkpoints of the lost machine before you start the platform as before (npm start, or its units). Run npm run backup afterwards.',
  )
}
