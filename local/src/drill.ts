import { rm } from 'node:fs/promises'
import { compareEvents, compareWithCheckpoints, verifyLedger } from './backup/check-restored.ts'
import { copyGrown, getCheckpointsPath, listLongerFiles } from './backup/checkpoint-copies.ts'
import { findOwnDatabase, formatSeconds, requireBackupDir, runCommand } from './backup/command.ts'
import { createDrillCopy, removeLeftCopies, requireSpaceForCopy } from './backup/drill-copies.ts'
import { openStore } from './backup/open-store.ts'
import { getResultPath, NoOutcome, recordResult } from './backup/results.ts'
import { type Environment, readEnvironment } from './environment.ts'

// `npm run drill` restores the newest backup into a temporary folder and verifies its ledgers. It
// compares the ledgers with the checkpoints outside the database and with the running platform. It
// only reads from the running platform.

/**
 * Rejects when a signal ends the drill. The comparison then ends and the copy is removed. A drill that
 * is killed during the recovery leaves its copy, which `removeLeftCopies` removes.
 */
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new NoOutcome(`the drill was ended by ${signal}`)))
  }
})
interrupted.catch(() => {})

await runCommand(async (print) => {
  const environment = readEnvironment(process.env)
  const backupDir = requireBackupDir(environment)
  await recordResult({ backupDir, command: 'drill' }, () => runDrill(environment, backupDir, print))
  print(`the drill passed; ${getResultPath(backupDir, 'drill')} has its result`)
})

async function runDrill(
  environment: Environment,
  backupDir: string,
  print: (line: string) => void,
): Promise<object> {
  const began = new Date()
  const backup = await openStore(environment, backupDir).find({ until: null, named: null })
  await removeLeftCopies()
  await requireSpaceForCopy(backup)
  const into = await createDrillCopy()
  try {
    print(`restoring ${backup.name} into ${into}`)
    const server = await backup.recover({ until: null, into, lost: null, print })
    try {
      const recoverySeconds = (Date.now() - began.getTime()) / 1000
      print(`recovered in ${formatSeconds(began)}`)
      const restored = server.ownerUrl
      const ledgers = []
      for (let ledger = 1; ledger <= environment.ledgers; ledger += 1) {
        const check = checkLedger({ environment, backupDir, restored, ledger, into, print })
        ledgers.push(await Promise.race([check, interrupted]))
      }
      return { backup: backup.name, recoverySeconds, ledgers }
    } finally {
      await server.stop()
      // Without user namespaces, the data directory of the server is outside the folder `into`.
      await rm(server.dataDir, { recursive: true, force: true })
    }
  } finally {
    await rm(into, { recursive: true, force: true })
  }
}

/**
 * Throws if the restored ledger differs from the checkpoints. Returns the figures that the drill
 * stores.
 */
async function checkLedger(check: {
  environment: Environment
  backupDir: string
  restored: string
  ledger: number
  into: string
  print: (line: string) => void
}): Promise<object> {
  const { environment, backupDir, restored, ledger, into, print } = check
  if (!(await verifyLedger(restored, ledger))) {
    throw new Error(`ledger ${ledger}: the restored log contradicts itself, see the lines above`)
  }
  const folder = getCheckpointsPath(into)
  for (const dir of [backupDir, environment.dataDir]) {
    const from = getCheckpointsPath(dir)
    await copyGrown(await listLongerFiles(from, folder), { from, to: folder })
  }
  const checkpoints = await compareWithCheckpoints({ url: restored, ledger, folder })
  const { events, compared: signed, different, missing } = checkpoints
  if (different !== null || (signed === null && events > 0)) {
    const wrong =
      different === null
        ? 'there is no checkpoint outside the database to compare the restored log with'
        : `the checkpoint of ${different} events outside the database differs from the checkpoint in the restored log`
    throw new Error(`ledger ${ledger}: ${wrong}: see ${getCheckpointsPath(environment.dataDir)}`)
  }
  print(
    `ledger ${ledger}: ${events} events, verified; the checkpoint of ${signed ?? 0} events outside ` +
      `the database agrees; ${missing} signed events are not archived yet`,
  )
  const running = environment.databaseUrl ?? (await findOwnDatabase(environment))?.auditor
  if (running === undefined) {
    print(
      `ledger ${ledger}: no platform runs on ${environment.dataDir}, so no events were compared with it`,
    )
    return { ledger, events, missing, compared: 0, newer: 0 }
  }
  const { compared, firstDifferent, newer } = await compareEvents({ running, restored, ledger })
  if (firstDifferent !== null) {
    throw new Error(
      `ledger ${ledger}: event ${firstDifferent} differs from the event of the running platform`,
    )
  }
  print(
    `ledger ${ledger}: ${compared} events compared with the running platform, no difference; ${newer} newer events`,
  )
  return { ledger, events, missing, compared, newer }
}
