import type pg from 'pg'
import { findPlacement, isCitus } from '../../log/shards.ts'
import { confirmVisible } from './confirmed.ts'
import { createPool, SILENCE_MS } from './pool.ts'

const OWNER_CONNECTIONS_MAX = 4

/**
 * Runs work with a pool of the node that has the rows of the ledger, because a snapshot and the
 * durability of commits belong to one node. Outside of Citus, this is the given pool.
 */
export async function withOwnerPool<T>(
  pool: pg.Pool,
  ledger: number,
  work: (own: pg.Pool) => Promise<T>,
): Promise<T> {
  if (!(await isCitus(pool))) return work(pool)
  const databaseUrl = pool.options.connectionString ?? ''
  const { databaseUrl: url } = await findPlacement(pool, { databaseUrl, ledger })
  const own = createPool({
    url,
    max: OWNER_CONNECTIONS_MAX,
    name: 'ledger-owner',
    silenceMs: SILENCE_MS,
  })
  try {
    return await work(own)
  } finally {
    await own.end()
  }
}

/** Like `confirmVisible`, on the node that has the rows of the ledger. */
export function confirmOnOwner(pool: pg.Pool, ledger: number): Promise<void> {
  return withOwnerPool(pool, ledger, confirmVisible)
}
