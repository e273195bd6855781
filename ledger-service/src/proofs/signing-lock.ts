import type pg from 'pg'
import type { LogKey } from './log-key.ts'
import type { SigningKey } from './signing-key.ts'

/** 'cais' in ASCII, the namespace of these advisory locks. Each ledger has one lock. */
const LOCK_SPACE = 0x63616973

/**
 * Signs with the newest key of the log, in a transaction. Until the transaction has ended, no command
 * can replace the key. Otherwise an instance could sign with a replaced key after its end, and no
 * verifier would accept that signature.
 */
export async function withSigningKey<T>(
  { pool, ledger, key }: { pool: pg.Pool; ledger: number; key: LogKey },
  sign: (client: pg.PoolClient, key: SigningKey) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock_shared($1, $2)', [LOCK_SPACE, ledger])
    await key.update?.(client)
    return sign(client, key)
  })
}

/** Runs `replace` while no instance signs the log. */
export async function withoutSigning<T>(
  { pool, ledger }: { pool: pg.Pool; ledger: number },
  replace: () => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1, $2)', [LOCK_SPACE, ledger])
    return replace()
  })
}

async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // The connection is closed, which ends its transaction in every case.
    client.release(true)
    throw error
  }
}
