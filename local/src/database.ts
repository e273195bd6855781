import { join } from 'node:path'
import { migrate } from '@cairn/migrations'
import pg from 'pg'
import { getArchivePath } from './backup/archive-settings.ts'
import type { Environment } from './environment.ts'
import { startPostgres } from './postgres.ts'
import type { LoginRole, Secrets } from './secrets.ts'

const CONNECT_TIMEOUT_MS = 5_000
const DATABASE = 'cairn'

export interface Database {
  /** The address of the database without a password, for use in messages. */
  readonly place: string
  readonly adminUrl: string
  /** The process id of the server, or null if this platform did not start it. */
  readonly pid: number | null
  readonly ended: Promise<void>
  urlFor(role: LoginRole): string
  stop(): Promise<void>
}

export async function startDatabase(start: {
  environment: Environment
  secrets: Secrets
  log: (line: string) => void
}): Promise<Database> {
  const { environment } = start
  const server =
    environment.databaseUrl === null
      ? await startEmbeddedServer(start)
      : await openExisting(environment.databaseUrl)
  return { ...server, urlFor: createRoleUrls(server.adminUrl, start.secrets) }
}

/** Returns a function that replaces the account in the URL of the owner by another account. */
export function createRoleUrls(
  adminUrl: string,
  { passwords }: Pick<Secrets, 'passwords'>,
): Database['urlFor'] {
  return (role) => {
    const url = new URL(adminUrl)
    url.username = role
    url.password = passwords[role]
    return url.href
  }
}

export async function migrateDatabase(
  database: Database,
  secrets: Secrets,
  log: (line: string) => void,
): Promise<void> {
  await migrate({ databaseUrl: database.adminUrl, passwords: secrets.passwords, log })
}

async function startEmbeddedServer(start: {
  environment: Environment
  secrets: Secrets
  log: (line: string) => void
}): Promise<Omit<Database, 'urlFor'>> {
  const { environment, secrets, log } = start
  const { backupDir } = environment
  const server = await startPostgres({
    dataDir: join(environment.dataDir, 'postgres'),
    logFile: join(environment.dataDir, 'logs', 'postgres.log'),
    password: secrets.superuser,
    ...(backupDir === null ? {} : { archiveDir: getArchivePath(backupDir) }),
    log,
  })
  await createDatabase(server.url())
  return {
    place: `${server.dataDir} (PostgreSQL on 127.0.0.1:${server.port})`,
    adminUrl: server.url('postgres', secrets.superuser, DATABASE),
    pid: server.pid,
    ended: server.ended,
    stop: server.stop,
  }
}

async function openExisting(databaseUrl: string): Promise<Omit<Database, 'urlFor'>> {
  const { host, pathname } = new URL(databaseUrl)
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`DATABASE_URL cannot be reached at ${host}${pathname}: ${formatReason(error)}`)
  }
  await client.end()
  return {
    place: `the server at ${host}${pathname}`,
    adminUrl: databaseUrl,
    pid: null,
    ended: new Promise(() => {}),
    stop: async () => {},
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

function formatReason(error: unknown): string {
  // If a host name has several addresses, the error contains one error per address.
  if (error instanceof AggregateError) return error.errors.map(formatReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
