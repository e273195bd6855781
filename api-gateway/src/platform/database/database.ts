import { limitSilence } from '@cairn/service-kit/limit-silence'
import { wrapWithPreparedStatements } from '@cairn/service-kit/prepared-statements'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type DatabaseTransaction = Transaction<Tables>

const CONNECTIONS_MAX = 12
const NESTED_CONNECTIONS_MAX = 4
const CONNECT_TIMEOUT_MS = 5_000
const SILENCE_MS = 15_000
const UNIQUE_VIOLATION = '23505'

interface DatabaseOptions {
  url: string
  applicationName: string
  onError: (error: Error) => void
}

/**
 * Opens two pools of connections. `nested` is for what runs while a transaction of `db` is open: the
 * client of the ledger and the settings. With connections of `db`, as many transactions as `db` has
 * connections would all wait for one more.
 */
export function openDatabases(options: DatabaseOptions): { db: Database; nested: Database } {
  const nested = openDatabase(options, NESTED_CONNECTIONS_MAX)
  return { db: openDatabase(options), nested }
}

export function openDatabase(options: DatabaseOptions, connectionsMax = CONNECTIONS_MAX): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: options.applicationName,
  })
  // Without this listener, a broken idle connection would end the process. The next query opens a
  // new connection.
  pool.on('error', options.onError)
  // A connection that breaks during a query emits `error` twice. This listener handles the second
  // `error`.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    limitSilence(client, { url: options.url, silenceMs: SILENCE_MS })
  })
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: wrapWithPreparedStatements(pool) }),
  })
}

/**
 * Returns the name of the unique constraint that the statement violated; null for any other error.
 */
export function findViolatedConstraint(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return null
  return error.constraint ?? ''
}
