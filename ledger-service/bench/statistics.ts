import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { runWithPool } from './books.ts'

/** A backend publishes its counts at most a second after its transaction. */
const PUBLISHED_MS = 1_500

/** Returns the transactions a second of all connections of the database. */
export async function countTransactions(url: string, seconds: number): Promise<number> {
  return runWithPool(url, async (pool) => {
    const before = await readTransactions(pool)
    await delay(seconds * 1_000)
    return (await readTransactions(pool)) - before
  }).then((transactions) => transactions / seconds)
}

/**
 * Returns the number of connections of the ledger to the database, also of those that Citus opens
 * from node to node for its queries.
 */
export async function countConnections(url: string): Promise<number> {
  return runWithPool(url, async (pool) => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and (application_name like 'ledger%'
         or usename = 'cairn_ledger' and application_name like 'citus%')`,
    )
    return rows[0]?.count ?? 0
  })
}

async function readTransactions(pool: pg.Pool): Promise<number> {
  await delay(PUBLISHED_MS)
  const { rows } = await pool.query<{ count: number }>(
    `select (xact_commit + xact_rollback)::float8 as count from pg_stat_database
     where datname = current_database()`,
  )
  return rows[0]?.count ?? 0
}
