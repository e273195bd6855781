import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@cairn/local/postgres'
import type { TestDatabase } from '@cairn/local/test-database'
import { migrate } from '@cairn/migrations'

const ROLES = [
  'cairn_ledger',
  'cairn_ledger_worker',
  'cairn_gateway',
  'cairn_gateway_worker',
  'cairn_auditor',
]

/** A PostgreSQL server that can be killed and restarted at the same address. */
export interface CrashablePostgres {
  readonly database: TestDatabase
  readonly dataDir: string
  /** Returns the ids of the postmaster and of all its processes. */
  listPids(): readonly number[]
  /** Returns the number of times that a process of the server has stopped with a panic. */
  countPanics(): number
  /** Sends SIGKILL to the postmaster and all its processes. */
  crash(): Promise<void>
  /** Stops the server in fast mode. */
  stop(): Promise<void>
  start(): Promise<void>
  drop(): Promise<void>
}

export async function startCrashablePostgres(
  options: {
    folder?: string
    settings?: Readonly<Record<string, string>>
    /** The folder to which the server archives its write-ahead log. */
    archiveDir?: string
    /** The part of the platform that the database holds. By default, it holds both parts. */
    only?: 'ledger' | 'site'
  } = {},
): Promise<CrashablePostgres> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'cairn-crash-')))
  const password = randomBytes(12).toString('hex')
  // The log is outside the data directory, so that a full disk does not affect it.
  const logFile = join(tmpdir(), `cairn-crash-${randomBytes(4).toString('hex')}.log`)
  const startServer = () =>
    startPostgres({
      dataDir: join(folder, 'data'),
      logFile,
      password,
      settings: options.settings ?? {},
      ...(options.archiveDir === undefined ? {} : { archiveDir: options.archiveDir }),
    })
  let server: Postgres = await startServer()
  await migrate({
    databaseUrl: server.url(),
    only: options.only ?? null,
    passwords: Object.fromEntries(ROLES.map((role) => [role, password])),
  })
  const door = await openFixedPort(() => server.port)
  const { port } = door.address() as AddressInfo
  const urlFor = (role?: string) => {
    const url = new URL(server.url(role))
    url.port = String(port)
    return url.href
  }
  const drop = async () => {
    door.close()
    await server.stop()
    for (const path of [server.dataDir, folder, logFile])
      await rm(path, { recursive: true, force: true })
  }

  return {
    dataDir: server.dataDir,
    listPids: () => listTree(readPostmasterPid(server)),
    countPanics: () => readFileSync(logFile, 'utf8').split('PANIC:').length - 1,
    database: { url: urlFor(), urlFor, drop },
    crash: async () => {
      for (const pid of listTree(readPostmasterPid(server))) killProcess(pid)
      await server.ended
    },
    stop: () => server.stop(),
    start: async () => {
      server = await startServer()
    },
    drop,
  }
}

/**
 * Listens on a fixed port and forwards to the server, because the server gets a new port at each
 * start.
 */
async function openFixedPort(getPort: () => number): Promise<Server> {
  const door = createServer((inside) => {
    const outside = connect(getPort(), '127.0.0.1')
    inside.pipe(outside).pipe(inside)
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return door
}

function readPostmasterPid({ dataDir }: Postgres): number {
  return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

function listTree(postmaster: number): readonly number[] {
  const children = readdirSync('/proc').filter((name) => readParentPid(name) === postmaster)
  return [postmaster, ...children.map(Number)]
}

/** Sends SIGKILL. Ignores a process that has already ended. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

function readParentPid(name: string): number | null {
  if (!/^\d+$/.test(name)) return null
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    // The name in brackets can contain any character. The second field after the name is the parent
    // pid.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}
