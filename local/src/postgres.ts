import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { markHistories } from './backup/archive-histories.ts'
import { createArchiveSettings } from './backup/archive-settings.ts'
import { findFreePort } from './free-port.ts'
import { prepareAccount, type ServerAccount } from './postgres-account.ts'
import { findBinaries, type PostgresVersion } from './postgres-binaries.ts'
import { assertNotRunning, ensureCluster, SUPERUSER } from './postgres-cluster.ts'

const READY_TIMEOUT_MS = 120_000
const RECOVERY_TIMEOUT_MS = 30 * 60_000
const FAST_STOP_MS = 7_000
const START_ATTEMPTS = 5

export interface PostgresOptions {
  readonly dataDir: string
  readonly password: string
  readonly logFile: string
  readonly version?: PostgresVersion
  readonly settings?: Readonly<Record<string, string>>
  /** A folder to which the server copies its write-ahead log, at least once a minute. */
  readonly archiveDir?: string
  /**
   * True if the server first recovers a backup. Such a start takes longer and is tried only once.
   */
  readonly isRecovering?: boolean
  readonly log?: (line: string) => void
}

export interface Postgres {
  readonly port: number
  readonly pid: number
  /**
   * The folder that contains the files. If root cannot use user namespaces, this is not the
   * requested folder.
   */
  readonly dataDir: string
  url(role?: string, password?: string, database?: string): string
  /** Resolves when the server process has ended. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const log = options.log ?? (() => {})
  const account = await prepareAccount({
    dataDir: options.dataDir,
    binaries: await findBinaries(options.version ?? 18),
    log,
  })
  await mkdir(dirname(options.logFile), { recursive: true })
  await assertNotRunning(account.dataDir)
  await ensureCluster({ account, password: options.password, log })
  if (options.archiveDir !== undefined) await prepareArchive(options.archiveDir, account)
  const isRecovering = options.isRecovering ?? false
  const timeoutMs = isRecovering ? RECOVERY_TIMEOUT_MS : READY_TIMEOUT_MS
  const attemptsMax = isRecovering ? 1 : START_ATTEMPTS

  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort()
    const server = spawnServer({ account, port, options })
    const formatUrl = (role = SUPERUSER, password = options.password, database = 'postgres') =>
      `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    const outcome = await waitUntilReady({ server, ended, url: formatUrl(), timeoutMs })
    if (outcome === 'ready' && server.pid !== undefined) {
      const stop = () => stopServer(server, ended)
      return { port, pid: server.pid, dataDir: account.dataDir, url: formatUrl, ended, stop }
    }
    // A program other than the server may have taken the port in the meantime.
    if (attempt >= attemptsMax) {
      throw new Error(`PostgreSQL did not start; its log is ${options.logFile}`)
    }
    await sleep(200 * attempt)
  }
}

/**
 * Creates the folder for the archive. The server writes into this folder, so its account must be
 * able to enter the parent folder.
 */
async function prepareArchive(archiveDir: string, account: ServerAccount): Promise<void> {
  await mkdir(dirname(archiveDir), { recursive: true, mode: 0o711 })
  await mkdir(archiveDir, { recursive: true, mode: 0o700 })
  await account.handOver(archiveDir)
  await markHistories(account.dataDir, account.handOver)
}

function spawnServer(start: {
  account: ServerAccount
  port: number
  options: PostgresOptions
}): ChildProcess {
  const { archiveDir } = start.options
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(start.port),
    password_encryption: 'scram-sha-256',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    max_connections: '100',
    logging_collector: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(archiveDir === undefined ? {} : createArchiveSettings(archiveDir)),
    ...start.options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = openSync(start.options.logFile, 'a', 0o600)
  try {
    return start.account.spawn('postgres', ['-D', start.account.dataDir, ...flags], {
      // The server needs its own process group, so that Ctrl-C in the terminal does not stop the
      // server before the other processes.
      detached: true,
      stdio: ['ignore', output, output],
    })
  } finally {
    closeSync(output)
  }
}

async function waitUntilReady(start: {
  server: ChildProcess
  ended: Promise<void>
  url: string
  timeoutMs: number
}): Promise<'ready' | 'ended'> {
  const deadline = Date.now() + start.timeoutMs
  const failed = new Promise<'ended'>((resolve) => {
    start.server.once('error', () => resolve('ended'))
    void start.ended.then(() => resolve('ended'))
  })
  while (Date.now() < deadline) {
    const answer = await Promise.race([canConnect(start.url), failed])
    if (answer === 'ended') return 'ended'
    if (answer) return 'ready'
    await sleep(50)
  }
  await stopServer(start.server, start.ended)
  return 'ended'
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function stopServer(server: ChildProcess, ended: Promise<void>): Promise<void> {
  // SIGINT stops the server fast but cleanly. After SIGQUIT or SIGKILL, the server must recover at
  // its next start.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    const late = sleep(FAST_STOP_MS, 'late', { ref: false })
    if ((await Promise.race([ended, late])) !== 'late') return
  }
}
