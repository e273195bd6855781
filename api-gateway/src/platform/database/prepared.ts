import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Each connection keeps this many plans at most; a text beyond them is planned when it comes. */
const STATEMENTS_MAX = 300
/** Longer texts are lists of any length, each of its own. */
const TEXT_CHARACTERS_MAX = 3_000

/** Names what the query builder writes, so that the server plans each text once a connection. */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  function nameOf(text: string): string | null {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= STATEMENTS_MAX || text.length > TEXT_CHARACTERS_MAX) return null
    const name = `q${names.size}`
    names.set(text, name)
    return name
  }

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    const query = (text: unknown, values?: readonly unknown[]) => {
      const name = typeof text === 'string' && values !== undefined ? nameOf(text) : null
      if (name === null) return client.query(text as string, values as unknown[])
      return client.query({ name, text: text as string, values: values as unknown[] })
    }
    // The part of a client that the query builder uses, as its own type says.
    return {
      query,
      release: () => client.release(),
      processID: (client as { processID?: number }).processID,
    } as unknown as PostgresPoolClient
  }

  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect()
      const known = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
