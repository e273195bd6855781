import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

const INT8 = 20
const TIMESTAMPTZ = 1184

/** int8 as bigint and instants as milliseconds: nothing of ours passes through a float or a Date. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return BigInt
    if (oid === TIMESTAMPTZ) return (text: string) => Date.parse(text)
    return pg.types.getTypeParser(oid, format)
  },
}

const LOOK_MS = 500
/** A wrong password, or no such database: waiting would not help. */
const FOR_GOOD = new Set(['28P01', '28000', '3D000'])

/** Until the database takes connections: at boot it may come later than its services. */
export async function untilDatabase(options: {
  url: string
  name: string
  log: Logger
}): Promise<void> {
  const { log } = options
  for (let looks = 0; ; looks += 1) {
    try {
      const client = await connectClient({ ...options, pipeline: false })
      return await client.end()
    } catch (error) {
      if (error instanceof pg.DatabaseError && FOR_GOOD.has(error.code ?? '')) throw error
      if (looks === 0) log.warn({ err: error }, 'the database does not answer yet')
      await delay(LOOK_MS)
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
  // An idle connection that the server ends is replaced at the next use; unheard, it ends the process.
  pool.on('error', () => {})
  // One that ends in use says so twice, and the query that fails of it listens once.
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

/** Beside the pool: whoever holds one of its connections and waits for a second may wait for ever. */
export async function connectLike(pool: pg.Pool): Promise<pg.Client> {
  const client = new pg.Client(pool.options)
  client.on('error', () => {})
  await client.connect()
  return client
}
