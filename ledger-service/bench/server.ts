import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@cairn/local/postgres'
import { migrate } from '@cairn/migrations'
import pg from 'pg'

/** A PostgreSQL server for the bench, durable as in production. Each bench gets a new database. */
export interface BenchServer {
  readonly port: number
  readonly password: string
  readonly version: string
  createDatabase(): Promise<BenchDatabase>
  /** Runs a checkpoint. After it, the first change of each page writes a full-page image. */
  checkpoint(): Promise<void>
  stop(): Promise<void>
}

export interface BenchDatabase {
  readonly name: string
  /** Connects as the superuser, who owns the tables of the baselines. */
  readonly url: string
  readonly ledgerUrl: string
}

const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '2GB',
  max_wal_size: '4GB',
  max_connections: '200',
}

const WAL_FILES = 140

export async function startBenchServer(): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-bench-'))
  const password = randomBytes(12).toString('hex')
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    logFile: join(folder, 'postgres.log'),
    password,
    settings: SETTINGS,
  })
  const version = await ask(server.url(), 'show server_version')
  await fillWal(server.url())
  const checkpoint = async () => void (await ask(server.url(), 'checkpoint'))
  return {
    port: server.port,
    password,
    version,
    createDatabase: async () => {
      const name = `bench_${randomBytes(4).toString('hex')}`
      await ask(server.url(), `create database ${name}`)
      const url = server.url(undefined, undefined, name)
      await migrate({ databaseUrl: url, passwords: { cairn_ledger: password } })
      // Writes of the previous measurement do not affect the next one.
      await checkpoint()
      return { name, url, ledgerUrl: server.url('cairn_ledger', password, name) }
    },
    checkpoint,
    stop: async () => {
      await server.stop()
      for (const path of [server.dataDir, folder]) await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * Preallocates WAL segments. A server that has run for a while recycles its segments; a new server
 * creates each one, which delays commits by 50 to 150 ms until the first checkpoint at `max_wal_size`.
 */
async function fillWal(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (let file = 0; file < WAL_FILES; file += 1) {
      await client.query("select pg_logical_emit_message(false, 'bench', ''), pg_switch_wal()")
    }
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

async function ask(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return String(rows[0]?.[0] ?? '')
  } finally {
    await client.end()
  }
}
