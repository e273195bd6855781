import { limitSilence } from '@cairn/service-kit/limit-silence'
import pg from 'pg'

const INT8 = 20
const TIMESTAMPTZ = 1184

/** Parses int8 as bigint and timestamptz as milliseconds since 1970. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return BigInt
    if (oid === TIMESTAMPTZ) return (text: string) => Date.parse(text)
    return pg.types.getTypeParser(oid, format)
  },
}

/**
 * The schemas in which names without a schema are found. Tables of the ledger are always named with
 * their schema.
 */
export const SEARCH_PATH = 'pg_catalog, pg_temp'

/**
 * A setting of the database or of a role cannot replace what a client requests when it connects.
 * Otherwise, a superuser could put views and functions in front of those of PostgreSQL.
 */
const STARTUP_OPTIONS = `-c search_path=${SEARCH_PATH.replaceAll(' ', '')}`

/** The limit for the connections of the service: twice the `statement_timeout` of its role. */
export const SILENCE_MS = 10_000

interface Connecting {
  url: string
  name: string
  /**
   * A connection is closed if the database does not answer for this time and does not work on the
   * query. On a pipelined connection, every query must be shorter. By default, the time is not
   * limited.
   */
  silenceMs?: number
}

export function createPool(options: Connecting & { max: number }): pg.Pool {
  const { silenceMs } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    options: STARTUP_OPTIONS,
    types,
  })
  // Without this listener, the process would end when an idle connection ends. The pool replaces
  // such a connection.
  pool.on('error', () => {})
  // A connection that ends during a query emits two errors. The query handles one of them,
  // so this listener ignores the other one.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    if (silenceMs !== undefined) limitSilence(client, { url: options.url, silenceMs })
  })
  return pool
}

export async function connectClient(
  options: Connecting & { pipeline: boolean },
): Promise<pg.Client> {
  const { pipeline, silenceMs } = options
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    options: STARTUP_OPTIONS,
    keepAlive: true,
    types,
    pipeline,
    ...(pipeline && silenceMs !== undefined ? { query_timeout: silenceMs } : {}),
  })
  client.on('error', () => {})
  await client.connect()
  if (!pipeline && silenceMs !== undefined) {
    limitSilence(client, { url: options.url, silenceMs })
  }
  return client
}

/**
 * Opens a connection outside the pool. Callers that hold one connection of the pool and wait for a
 * second one could deadlock.
 */
export async function connectOutsidePool(pool: pg.Pool): Promise<pg.Client> {
  const client = new pg.Client(pool.options)
  client.on('error', () => {})
  await client.connect()
  return client
}
