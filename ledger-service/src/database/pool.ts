import pg from 'pg'

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
