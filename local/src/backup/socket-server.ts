import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addDeathSignal } from '../death-signal.ts'
import type { Account } from '../postgres-user.ts'
import { FOLDER_MODE, ignoreMissing } from './durable-files.ts'

const POLL_MS = 100
const STOP_MS = 30_000
const PORT = 5432
const HBA = 'pg_hba.conf'
const CONFIG = 'postgresql.conf'
/** SQLSTATE classes of a login that will never succeed: authorization, and a missing database. */
const REFUSALS = /^(28|3D)/

/** A restored server that other machines and other users cannot reach. */
export interface SocketServer {
  /** Returns the URL of a role, which needs no password. */
  formatUrl(role: string): string
  stop(): Promise<void>
}

interface Start {
  readonly dataDir: string
  /** A folder that only the user of the server can enter. It gets the socket and the settings. */
  readonly socketDir: string
  readonly logFile: string
  readonly account: Account | null
  /** An account of the server and its database. */
  readonly user: string
  readonly database: string
}

/**
 * Starts the server of a restored folder and waits until it accepts writes. It ignores the settings
 * of the original server: it listens on a socket, archives nothing and waits for no standby.
 */
export async function startOnSocket(start: Start): Promise<SocketServer> {
  const { dataDir, socketDir, logFile, account, user, database } = start
  const program = await findProgram(dataDir)
  for (const [name, text] of [
    [HBA, 'local all all trust\n'],
    [CONFIG, ''],
  ] as const) {
    const path = join(socketDir, name)
    await writeFile(path, text, { mode: 0o600 })
    if (account !== null) await chown(path, account.uid, account.gid)
  }
  await mkdir(dirname(logFile), { recursive: true, mode: FOLDER_MODE })
  const child = spawnServer(program, start)
  const formatUrl = (role: string) =>
    `postgres://${encodeURIComponent(role)}@localhost:${PORT}/${encodeURIComponent(database)}` +
    `?host=${encodeURIComponent(socketDir)}`
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const stop = () => stopServer(child, ended)
  try {
    await waitUntilReady(formatUrl(user), { ended, logFile })
  } catch (error) {
    await stop()
    throw error
  }
  return { formatUrl, stop }
}

function spawnServer(program: string, { dataDir, socketDir, logFile, account }: Start) {
  const settings = {
    config_file: join(socketDir, CONFIG),
    hba_file: join(socketDir, HBA),
    listen_addresses: '',
    unix_socket_directories: socketDir,
    port: String(PORT),
    archive_mode: 'off',
    // Without it, a recovery needs as many connections and workers as the original server had.
    hot_standby: 'off',
    synchronous_standby_names: '',
    shared_preload_libraries: '',
    logging_collector: 'off',
    ssl: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [file, ...args] = addDeathSignal('INT', [program, '-D', dataDir, ...flags])
  const output = openSync(logFile, 'a', 0o600)
  try {
    return spawn(file, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      ...account,
    })
  } finally {
    closeSync(output)
  }
}

/** Returns the program of the version that wrote the folder. No other version can read it. */
async function findProgram(dataDir: string): Promise<string> {
  const version = (await readFile(join(dataDir, 'PG_VERSION'), 'utf8')).trim()
  const folders = [
    `/usr/lib/postgresql/${version}/bin`,
    `/usr/pgsql-${version}/bin`,
    ...(process.env.PATH ?? '').split(':'),
  ]
  const isVersion = (program: string) =>
    spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.includes(` ${version}.`)
  const found = folders.map((folder) => join(folder, 'postgres')).find(isVersion)
  if (found !== undefined) return found
  throw new Error(
    `the backup is of PostgreSQL ${version}, which is not installed here: install its programs ` +
      `(Debian: apt-get install postgresql-${version})`,
  )
}

async function waitUntilReady(
  url: string,
  { ended, logFile }: { ended: Promise<void>; logFile: string },
): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  // A large archive takes hours, so only the end of the server ends the waiting.
  while (!(await canConnect(url))) {
    if (hasEnded) throw new Error(await explainEnd(logFile))
    await sleep(POLL_MS)
  }
}

/** Returns false while the server recovers. Throws if it will never accept this login. */
async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && REFUSALS.test(error.code ?? '')) throw error
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function explainEnd(logFile: string): Promise<string> {
  const text = (await ignoreMissing(readFile(logFile, 'utf8'))) ?? ''
  const [, fatal] = [...text.matchAll(/FATAL: +(?!the database system is)(.+)/g)].at(-1) ?? []
  return `PostgreSQL did not recover: ${fatal ?? 'it ended'}. Its log is ${logFile}`
}

async function stopServer(child: ChildProcess, ended: Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    const late = sleep(STOP_MS, 'late', { ref: false })
    if ((await Promise.race([ended, late])) !== 'late') return
  }
}
