import { sql } from 'kysely'
import { expect } from 'vitest'
import type { DatabaseTransaction } from '../src/platform/database/database.ts'
import type { TestGateway } from './test-gateway.ts'

/**
 * Sends a request while a change is made but not yet committed. Commits the change when the request
 * waits for one of its locks or has ended, after a last step of the change, `finish`. Returns the
 * answer to the request.
 */
export async function runDuring<Answer>(
  gateway: Pick<TestGateway, 'db'>,
  change: (trx: DatabaseTransaction) => Promise<void>,
  send: () => Promise<Answer>,
  { finish }: { finish?: (trx: DatabaseTransaction) => Promise<void> } = {},
): Promise<Answer> {
  let hasEnded = false
  const { pending } = await gateway.db.transaction().execute(async (trx) => {
    await change(trx)
    const pending = send().finally(() => {
      hasEnded = true
    })
    await expect
      .poll(async () => hasEnded || (await isLockWanted(trx)), { timeout: 120_000 })
      .toBe(true)
    await finish?.(trx)
    // An object, because a returned promise would be awaited before the commit.
    return { pending }
  })
  return await pending
}

/** Returns true if another connection waits for a lock of this transaction. */
async function isLockWanted(trx: DatabaseTransaction): Promise<boolean> {
  const { rows } = await sql<{ is_wanted: boolean }>`
    select exists (
      select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
    ) as is_wanted`.execute(trx)
  return rows[0]?.is_wanted === true
}

/** Returns the number of connections to the database of the gateway that wait for a lock. */
export async function countLockWaits({ db }: Pick<TestGateway, 'db'>): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting ?? 0
}
