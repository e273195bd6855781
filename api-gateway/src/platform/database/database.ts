import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { withPreparedStatements } from './prepared-statements.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type DatabaseTransaction = Transaction<Tables>

const CONNECTIONS_MAX = 12
const CONNECT_TIMEOUT_MS = 5_000
const UNIQUE_VIOLATION = '23505'
const RETRY_MS = 500
/** SQLSTATE codes that do not pass by waiting: wrong password, or no such database. */
const PERMANENT_ERRORS = new Set(['28P01', '28000', '3D000'])

export function openDatabase(options: {
  url: string
  applicationName: string
  onError: (error: Error) => void
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: options.applicationName,
  })
  // An idle connection that breaks must not end the process; the next query opens another one.
  pool.on('error', options.onError)
  // A connection in use that breaks emits `error` twice, and the failing query handles only one of
  // them.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
  })
}

/** Waits until the database accepts connections, because it may start after its services. */
export async function waitForDatabase({ url, log }: { url: string; log: Logger }): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (error instanceof pg.DatabaseError && PERMANENT_ERRORS.has(error.code ?? '')) throw error
      if (attempts === 0) log.warn({ err: error }, 'the database does not answer yet')
      await delay(RETRY_MS)
    }
  }
}

/** The name of the unique constraint that the statement violated; null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return null
  return error.constraint ?? ''
}
