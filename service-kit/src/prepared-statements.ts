import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/**
 * The maximum number of prepared statements per connection. PostgreSQL plans a statement that is
 * not prepared at each execution.
 */
const STATEMENTS_MAX = 300
/** Longer statements contain lists of varying length, so they would rarely be reused. */
const TEXT_CHARACTERS_MAX = 3_000

/**
 * There is one wrapper per pool, because ledgers that share a pool must use the same name for the
 * same statement.
 */
const wrappedPools = new WeakMap<pg.Pool, PostgresPool>()

/** Wraps a pool so that statements of the query builder are prepared once per connection. */
export function wrapWithPreparedStatements(pool: pg.Pool): PostgresPool {
  const known = wrappedPools.get(pool) ?? wrapPool(pool)
  wrappedPools.set(pool, known)
  return known
}

function wrapPool(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  function findOrCreateName(text: string): string | null {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= STATEMENTS_MAX || text.length > TEXT_CHARACTERS_MAX) return null
    const name = `q${names.size}`
    names.set(text, name)
    return name
  }

  function wrapClient(client: pg.PoolClient): PostgresPoolClient {
    const runQuery = (text: unknown, values?: readonly unknown[]) => {
      const name = typeof text === 'string' && values !== undefined ? findOrCreateName(text) : null
      if (name === null) return client.query(text as string, values as unknown[])
      return client.query({ name, text: text as string, values: values as unknown[] })
    }
    // The cast is safe, because the query builder uses only these members.
    return {
      query: runQuery,
      release: () => client.release(),
      processID: (client as { processID?: number }).processID,
    } as unknown as PostgresPoolClient
  }

  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect()
      const known = wrapped.get(client) ?? wrapClient(client)
      wrapped.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
