import { chmod, chown, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type Account, findAccount } from '../postgres-user.ts'
import { markHistories } from './archive-histories.ts'
import { FILES } from './backup-folder.ts'
import { FOLDER_MODE, ignoreMissing } from './durable-files.ts'
import { copyErasures } from './erasures.ts'
import { readServer, withServer } from './own-server.ts'
import { findReason, runPgBackRest } from './pgbackrest.ts'
import { hasSecrets, restoreSecrets } from './secrets-copies.ts'
import { parseSegment } from './segments.ts'
import { type SocketServer, startOnSocket } from './socket-server.ts'
import { readStanza } from './stanza-info.ts'
import type { RecoveryOrder, RestoredServer } from './store.ts'

const REPAIR =
  'Repair the repository from a copy, or restore an earlier time with --to; then run npm run backup -- --full'

/** A server of one's own, and where its backups are. */
export interface Place {
  readonly databaseUrl: string
  readonly stanza: string
  /** The folder of the results, and of the copies of secrets, checkpoints and erasures. */
  readonly backupDir: string
}

/**
 * Restores a backup of pgBackRest into a folder and returns its server, which listens on a socket
 * only and archives nothing. Throws if the archive is not complete.
 */
export async function recoverStanza(
  place: Place,
  order: RecoveryOrder & { label: string },
): Promise<RestoredServer> {
  const { until, into } = order
  const account = findAccount()
  const lastArchived = await askRunningServer(place).catch(() => null)
  const newest = until === null ? await findNewestArchived(place, lastArchived) : null
  await restoreOwnSecrets(place, order)
  // The user of the server enters this folder and cannot list it.
  if (account !== null) await chmod(into, 0o711)
  const dataDir = join(into, FILES)
  const tablespaces = join(into, 'tablespaces')
  // pgBackRest runs as the user of the server, who cannot create a folder in `into`.
  for (const folder of [dataDir, tablespaces]) await createFolder(folder, account)
  await restoreFiles(place, { ...order, dataDir, tablespaces })
  const { user = '', database = '' } = new pg.Client({ connectionString: place.databaseUrl })
  const logFile = join(into, 'logs', 'postgres.log')
  const socketDir = join(into, 'socket')
  let server: SocketServer | null = null
  try {
    await createFolder(socketDir, account)
    server = await startOnSocket({ dataDir, socketDir, logFile, account, user, database })
    if (newest !== null) await requireReached(server.formatUrl(user), { newest, logFile })
  } catch (error) {
    await server?.stop()
    throw new Error(await explainRecovery(error, { logFile, until }), { cause: error })
  }
  const { formatUrl, stop } = server
  return {
    dataDir,
    ownerUrl: formatUrl(user),
    gatewayUrl: formatUrl('cairn_gateway'),
    stop: async () => {
      await stop()
      await rm(socketDir, { recursive: true, force: true })
      // The server has archived nothing, also not the history of its new timeline.
      await markHistories(dataDir, (path) => handOver(path, account))
    },
  }
}

async function createFolder(path: string, account: Account | null): Promise<void> {
  await mkdir(path, { mode: FOLDER_MODE })
  await handOver(path, account)
}

async function handOver(path: string, account: Account | null): Promise<void> {
  if (account !== null) await chown(path, account.uid, account.gid)
}

/**
 * Returns the newest segment that was ever archived. The running server may know a segment that is
 * missing in the repository now.
 */
async function findNewestArchived(
  { stanza }: Place,
  lastArchived: string | null,
): Promise<string | null> {
  const { archive } = await readStanza(stanza)
  const names = [archive.at(-1)?.max, lastArchived]
  // A name begins with its timeline. The segments of an abandoned timeline are older.
  return (
    names
      .filter((name) => parseSegment(name ?? '') !== null)
      .toSorted()
      .at(-1) ?? null
  )
}

/**
 * Returns the newest segment that the running server has archived. Also copies the list of deleted
 * people, which a past state does not have. Throws if the server is lost.
 */
function askRunningServer({ databaseUrl, backupDir }: Place): Promise<string | null> {
  return withServer(databaseUrl, async (client) => {
    await copyErasures(client, backupDir)
    return (await readServer(client)).lastArchived
  })
}

async function restoreOwnSecrets(
  { backupDir }: Place,
  { into, until, print }: RecoveryOrder,
): Promise<void> {
  if (await hasSecrets(backupDir)) await restoreSecrets({ backupDir, into, until })
  else print(`${backupDir} has no copy of the secrets: back them up with the tools of the services`)
}

async function restoreFiles(
  { stanza }: Place,
  restored: Pick<RecoveryOrder, 'until'> & {
    label: string
    dataDir: string
    tablespaces: string
  },
): Promise<void> {
  const { label, until, dataDir, tablespaces } = restored
  const target =
    until === null
      ? []
      : ['--type=time', `--target=${formatTarget(until)}`, '--target-action=promote']
  await runPgBackRest('restore', {
    stanza,
    options: [
      `--set=${label}`,
      `--pg1-path=${dataDir}`,
      // The tablespaces of the running server must stay as they are.
      `--tablespace-map-all=${tablespaces}`,
      ...target,
    ],
  })
}

/** pgBackRest takes a time without the letters of ISO 8601. */
const formatTarget = (time: Date) => time.toISOString().replace('T', ' ').replace('Z', '+00')

/**
 * Throws if the recovery ended before the newest archived segment. PostgreSQL ends a recovery
 * without an error at a segment that is missing or that pgBackRest cannot read.
 */
async function requireReached(
  url: string,
  { newest, logFile }: { newest: string; logFile: string },
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      'select pg_walfile_name(pg_last_wal_replay_lsn()) as reached',
    )
    const { reached } = rows[0]
    const toNumber = (name: string | null) => parseSegment(name ?? '')?.number ?? -1
    if (toNumber(reached) >= toNumber(newest)) return
    const reason = findReason(await readLog(logFile)) ?? 'a segment is missing'
    throw new Error(
      `the recovery ended in segment ${reached}, before the newest archived segment ${newest}: ${reason}. ` +
        REPAIR,
    )
  } finally {
    await client.end()
  }
}

/** Says why no state of a time was recovered. pgBackRest writes into the log of the server. */
async function explainRecovery(
  error: unknown,
  { logFile, until }: { logFile: string; until: Date | null },
): Promise<string> {
  const log = await readLog(logFile)
  if (until === null || !log.includes('before configured recovery target was reached')) {
    return error instanceof Error ? error.message : String(error)
  }
  const reason = findReason(log)
  if (reason !== null)
    return `the archive is damaged before ${until.toISOString()}: ${reason}. ${REPAIR}`
  return (
    `the archive has no transaction after ${until.toISOString()}: ` +
    'leave out --to to restore the newest state'
  )
}

const readLog = async (logFile: string): Promise<string> =>
  (await ignoreMissing(readFile(logFile, 'utf8'))) ?? ''
