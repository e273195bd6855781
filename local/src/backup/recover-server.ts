import { appendFile, copyFile, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Postgres, startPostgres } from '../postgres.ts'
import { prepareAccount, type ServerAccount } from '../postgres-account.ts'
import { findBinaries, type PostgresVersion } from '../postgres-binaries.ts'
import { assertNotRunning } from '../postgres-cluster.ts'
import { formatRestoreCommand, getArchivePath } from './archive-settings.ts'
import { type Backup, FILES, formatStamp } from './backup-folder.ts'
import { FOLDER_MODE, ignoreMissing, listFolder } from './durable-files.ts'
import { type ArchiveState, examineArchive } from './examine-archive.ts'
import { copyListedFiles } from './file-list.ts'
import { formatSegment, parseSegment, type Segment } from './segments.ts'

const RECOVERY_TIMEOUT_MS = 30 * 60_000
const SETTINGS = ['restore_command', 'recovery_target_action', 'recovery_target_time']

export interface Recovering {
  readonly backup: Backup
  readonly backupDir: string
  /** The time to which the server recovers; null for the end of the archive. */
  readonly until: Date | null
  /** The new data directory of the platform. */
  readonly into: string
  /**
   * The folder with the files of the lost server, or null. The last part of its write-ahead log may
   * not be archived yet.
   */
  readonly lost: string | null
  /** The password of the superuser on the recovered server. */
  readonly password: string
  readonly log: (line: string) => void
  /** Finds missing and damaged segments. A sabotage test replaces this function. */
  readonly examine?: typeof examineArchive
}

/**
 * Copies a backup into `into` and recovers it from the archive. Returns the recovered server, which
 * is running. Throws if the backup or the archive is not complete.
 */
export async function recoverServer(recovering: Recovering): Promise<Postgres> {
  const { backup, backupDir, until, into, password, log, examine = examineArchive } = recovering
  const archive = await examine(backupDir, backup)
  if (until === null && archive.problem !== null) throw new Error(archive.problem)
  const version = toVersion(backup.postgresVersion)
  const dataDir = join(into, FILES)
  const account = await prepareAccount({ dataDir, binaries: await findBinaries(version), log })
  const lost = (await setFilesAside(account, log)) ?? recovering.lost
  await copyBackup(backup, account)
  if (lost !== null) await copyUnarchivedSegments(lost, { account, archive })
  await orderRecovery(account, { backupDir, until })

  const logFile = join(into, 'logs', 'postgres.log')
  let server: Postgres | null = null
  try {
    server = await startPostgres({ dataDir, logFile, password, version, isRecovering: true, log })
    await endRecovery(server)
    if (until === null) await requireReachedSegment(server, archive.last)
    return server
  } catch (error) {
    await server?.stop()
    const failure = { error, hasStarted: server !== null, until, archive, logFile }
    throw new Error(await explainFailure(failure), { cause: error })
  }
}

function toVersion(found: number): PostgresVersion {
  if (found === 15 || found === 18) return found
  throw new Error(`the backup was made by PostgreSQL ${found}, for which no programs are installed`)
}

/**
 * Renames the data directory of the server if the directory is not empty. Returns the new name, or
 * null if the directory is empty. Where root cannot use user namespaces, PostgreSQL keeps its files
 * outside of the restored folder; only then can the directory contain files.
 */
async function setFilesAside(
  { dataDir }: ServerAccount,
  log: (line: string) => void,
): Promise<string | null> {
  if ((await listFolder(dataDir)).length === 0) return null
  await assertNotRunning(dataDir)
  const aside = `${dataDir}.before-restore-${formatStamp(new Date())}`
  await rename(dataDir, aside)
  log(`${dataDir} was renamed to ${aside}`)
  return aside
}

async function copyBackup(backup: Backup, account: ServerAccount): Promise<void> {
  const { folder, list, folders } = backup
  const { dataDir: to, handOver } = account
  await copyListedFiles({ folder, list, under: FILES, to, handOver })
  for (const inner of folders) {
    const path = join(to, inner)
    await mkdir(path, { recursive: true, mode: FOLDER_MODE })
    await handOver(path)
  }
}

/** Copies segments that the lost server wrote after the newest archived segment. */
async function copyUnarchivedSegments(
  lost: string,
  { account, archive }: { account: ServerAccount; archive: ArchiveState },
): Promise<void> {
  // The file `pg_control` of a server begins with the identifier of its database system.
  const own = await readFirstBytes(join(account.dataDir, 'global', 'pg_control'))
  const other = await ignoreMissing(readFirstBytes(join(lost, 'global', 'pg_control')))
  if (other === null || !own.equals(other)) return
  for (const name of await listFolder(join(lost, 'pg_wal'))) {
    const segment = parseSegment(name)
    if (segment === null || segment.number < archive.last.number) continue
    const path = join(account.dataDir, 'pg_wal', name)
    await copyFile(join(lost, 'pg_wal', name), path)
    await account.handOver(path)
  }
}

async function readFirstBytes(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    return (await handle.read(Buffer.alloc(8), 0, 8, 0)).buffer
  } finally {
    await handle.close()
  }
}

async function orderRecovery(
  account: ServerAccount,
  { backupDir, until }: { backupDir: string; until: Date | null },
): Promise<void> {
  const lines = [
    `restore_command = '${formatRestoreCommand(getArchivePath(backupDir))}'`,
    // The recovered server accepts writes as soon as it is promoted.
    `recovery_target_action = 'promote'`,
    ...(until === null ? [] : [`recovery_target_time = '${formatTarget(until)}'`]),
  ]
  await appendFile(join(account.dataDir, 'postgresql.auto.conf'), `\n${lines.join('\n')}\n`)
  const signal = join(account.dataDir, 'recovery.signal')
  await writeFile(signal, '', { mode: 0o600 })
  await account.handOver(signal)
}

/**
 * The server parses the time before it has loaded the names of time zones, so a name such as Z
 * would be unknown.
 */
function formatTarget(time: Date): string {
  return time.toISOString().replace('Z', '+00')
}

/** Waits until the server accepts writes. Then removes the settings of the recovery. */
async function endRecovery(server: Postgres): Promise<void> {
  await runWithClient(server, async (client) => {
    const deadlineMs = Date.now() + RECOVERY_TIMEOUT_MS
    for (;;) {
      const { rows } = await client.query('select pg_is_in_recovery() as "isRecovering"')
      if (!rows[0].isRecovering) break
      if (Date.now() > deadlineMs) throw new Error('the recovery did not end within half an hour')
      await sleep(100)
    }
    for (const name of SETTINGS) await client.query(`alter system reset ${name}`)
  })
}

/**
 * Throws if the recovery ended before the newest archived segment. If PostgreSQL cannot read a
 * segment, it ends the recovery there without an error.
 */
export async function requireReachedSegment(server: Postgres, last: Segment): Promise<void> {
  await runWithClient(server, async (client) => {
    const { rows } = await client.query(
      'select pg_walfile_name(pg_last_wal_replay_lsn()) as segment',
    )
    const { segment } = rows[0]
    if ((parseSegment(segment ?? '')?.number ?? -1) >= last.number) return
    throw new Error(
      `the recovery ended in segment ${segment}, before the newest archived segment ` +
        `${formatSegment(last)}: use another copy of BACKUP_DIR`,
    )
  })
}

async function runWithClient<T>(
  server: Postgres,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: server.url() })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function explainFailure(failure: {
  error: unknown
  hasStarted: boolean
  until: Date | null
  archive: ArchiveState
  logFile: string
}): Promise<string> {
  const { error, hasStarted, until, archive, logFile } = failure
  const text = (await ignoreMissing(readFile(logFile, 'utf8'))) ?? ''
  if (until !== null && text.includes('before configured recovery target was reached')) {
    if (archive.problem !== null) return archive.problem
    return (
      `the archive has no transaction after ${until.toISOString()}: ` +
      'leave out --to to restore the newest state'
    )
  }
  if (hasStarted) return error instanceof Error ? error.message : String(error)
  // The server also logs FATAL lines when it refuses connections during its start. Such lines are
  // not the cause of the failed recovery.
  const [, fatal] = [...text.matchAll(/FATAL: +(?!the database system is)(.+)/g)].at(-1) ?? []
  return `PostgreSQL did not recover: ${fatal ?? 'it ended'}. Its log is ${logFile}`
}
