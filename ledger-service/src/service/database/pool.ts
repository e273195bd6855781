import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

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

const RETRY_MS = 500
/** SQLSTATE codes of a wrong password or an unknown database, which a retry does not fix. */
const PERMANENT_ERRORS = new Set(['28P01', '28000', '3D000'])

/** Waits until the database accepts connections, because at boot it can start after its services. */
export async function waitForDatabase(options: {
  url: string
  name: string
  log: Logger
}): Promise<void> {
  const { log } = options
  for (let attempts = 0; ; attempts += 1) {
    try {
      const client = await connectClient({ ...options, pipeline: false })
      return await client.end()
    } catch (error) {
      if (error instanceof pg.DatabaseError && PERMANENT_ERRORS.has(error.code ?? '')) throw error
      if (attempts === 0) log.warn({ err: error }, 'the database does not answer yet')
      await delay(RETRY_MS)
    }
  }
}

export function createPool(options: { url: string; max: number; name: string }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    types,
  })
  // The pool replaces an idle connection that ends. Without a listener, the error ends the process.
  pool.on('error', () => {})
  // A connection that ends in use emits two errors, and the failing query handles only one.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export async function connectClient(options: {
  url: string
  name: string
  pipeline: boolean
}): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
    pipeline: options.pipeline,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Connects outside the pool: waiting for a second connection while holding one can deadlock. */
export async function connectLike(pool: pg.Pool): Promise<pg.Client> {
  const client = new pg.Client(pool.options)
  client.on('error', () => {})
  await client.connect()
  return client
}
