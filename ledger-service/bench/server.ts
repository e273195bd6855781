import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@cairn/local/postgres'
import { migrate } from '@cairn/migrations'
import pg from 'pg'

/**
 * A PostgreSQL server with the durability settings of production. Each bench gets a new database.
 */
export interface BenchServer {
  /** The id of the postmaster. */
  readonly pid: number
  readonly port: number
  readonly password: string
  readonly version: string
  createDatabase(): Promise<BenchDatabase>
  /** Runs a checkpoint of PostgreSQL, so that no checkpoint runs during the measured commits. */
  checkpoint(): Promise<void>
  stop(): Promise<void>
}

export interface BenchDatabase {
  readonly name: string
  /** The superuser's URL. The superuser owns the tables of the baselines. */
  readonly url: string
  readonly ledgerUrl: string
  /** The folder of the signing key and the checkpoints of the ledger. */
  readonly keyFolder: string
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
  const version = await queryValue(server.url(), 'show server_version')
  await fillWal(server.url())
  const runCheckpoint = async () => void (await queryValue(server.url(), 'checkpoint'))
  const [pid] = (await readFile(join(server.dataDir, 'postmaster.pid'), 'utf8')).split('\n')
  return {
    pid: Number(pid),
    port: server.port,
    password,
    version,
    createDatabase: async () => {
      const name = `bench_${randomBytes(4).toString('hex')}`
      await queryValue(server.url(), `create database ${name}`)
      const url = server.url(undefined, undefined, name)
      await migrate({ databaseUrl: url, passwords: { cairn_ledger: password } })
      // The checkpoint writes the changes of the previous measurement to disk, so that these writes
      // do not delay the next measurement.
      await runCheckpoint()
      const keyFolder = join(folder, name)
      await mkdir(keyFolder)
      return { name, url, ledgerUrl: server.url('cairn_ledger', password, name), keyFolder }
    },
    checkpoint: runCheckpoint,
    stop: async () => {
      await server.stop()
      for (const path of [server.dataDir, folder]) await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * Creates WAL segments in advance. Otherwise a new server would create each segment during the
 * measurement, which would delay commits by 50 to 150 ms.
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

async function queryValue(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return String(rows[0]?.[0] ?? '')
  } finally {
    await client.end()
  }
}
