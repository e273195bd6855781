import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@cairn/migrations'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import type { PostgresVersion } from './postgres-binaries.ts'
import type { TestServer } from './test-database.ts'

const TEST_ROLES = [
  'cairn_migrator',
  'cairn_ledger',
  'cairn_ledger_worker',
  'cairn_gateway',
  'cairn_gateway_worker',
  'cairn_auditor',
  'cairn_backup',
  'cairn_key_backup',
]

interface RunningServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Vitest calls this function once per run. Starts a server with one migrated database, which tests
 * copy.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-test-'))
  // All temporary files of this run are in this folder, including the files of child processes that
  // are killed.
  process.env.TMPDIR = folder
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  let server: RunningServer | null = null
  try {
    const running = await startServer(folder)
    server = running
    const prepared = await prepareTemplate(running.url)
    project.provide('testServer', prepared)
    return async () => {
      await runOnServer(running.url, `drop database if exists ${prepared.template} with (force)`)
      await running.stop()
      await removeFolder()
    }
  } catch (error) {
    await server?.stop()
    await removeFolder()
    throw error
  }
}

async function prepareTemplate(url: string): Promise<TestServer> {
  const template = `cairn_template_${randomBytes(4).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  await runOnServer(url, `create database ${template}`)
  await migrate({
    databaseUrl: replaceDatabase(url, template),
    passwords: Object.fromEntries(TEST_ROLES.map((role) => [role, password])),
  })
  return { url, template, password }
}

async function startServer(folder: string): Promise<RunningServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} }
  if (process.env.TEST_DATABASE === 'container') return startContainer()
  return startEmbedded(folder)
}

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

/**
 * Creates the folder for the server's files, in memory if there is enough space. The ledger
 * requires fsync, which on a disk would take a third of the test time.
 */
async function createDataFolder(folder: string): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).catch(() => null)
  if (room === null || room.bavail * room.bsize < MEMORY_BYTES_MIN) return join(folder, 'data')
  return mkdtemp(join(MEMORY_FOLDER, 'cairn-test-'))
}

async function startEmbedded(folder: string): Promise<RunningServer> {
  const version = parseVersion(process.env.TEST_POSTGRES)
  const dataDir = await createDataFolder(folder)
  const server = await startPostgres({
    version,
    dataDir,
    logFile: join(folder, 'postgres.log'),
    password: randomBytes(12).toString('hex'),
    settings: { max_connections: '300' },
  })
  const stop = async () => {
    await server.stop()
    // Without user namespaces, the server's files are outside this run's folder.
    await rm(server.dataDir, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url: server.url(), stop }
}

/** Returns the oldest or the newest supported version of the server. */
function parseVersion(wanted = '18'): PostgresVersion {
  if (wanted === '15') return 15
  if (wanted === '18' || wanted === '') return 18
  throw new Error(`TEST_POSTGRES must be 15 or 18, not "${wanted}"`)
}

async function startContainer(): Promise<RunningServer> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const password = randomBytes(12).toString('hex')
  const container = await new GenericContainer(process.env.TEST_IMAGE ?? 'postgres:18')
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand(['postgres', '-c', 'max_connections=300'])
    .withExposedPorts(5432)
    // The image starts the server twice, because the first start only initializes the files.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
  const place = `${container.getHost()}:${container.getMappedPort(5432)}`
  const stop = async () => void (await container.stop())
  return { url: `postgres://postgres:${password}@${place}/postgres`, stop }
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function replaceDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
