import type { LagReport, LedgerClient } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/**
 * Returns the lag of each follower in events, and the age of the oldest waiting mail in seconds.
 */
export async function readLags(deps: {
  db: Database
  ledger: LedgerClient
  clock: Clock
}): Promise<LagReport[]> {
  const [{ size }, cursors, mail] = await Promise.all([
    deps.ledger.ask('head', { size: null }),
    deps.db.selectFrom('platform.cursor').select(['name', 'seq']).orderBy('name').execute(),
    readMailLagSeconds(deps),
  ])
  const followers = cursors.map(({ name, seq }): LagReport => {
    return { name, unit: 'events', value: Math.max(0, Number(size - 1n - BigInt(seq))) }
  })
  return [{ name: 'mail', unit: 'seconds', value: mail }, ...followers]
}

export async function readMailLagSeconds({
  db,
  clock,
}: {
  db: Database
  clock: Clock
}): Promise<number> {
  const { oldest } = await db
    .selectFrom('identity.outbox')
    .select(sql<Date | null>`min(created_at)`.as('oldest'))
    .where('sent_at', 'is', null)
    .where('sealed', 'is not', null)
    .executeTakeFirstOrThrow()
  return oldest === null ? 0 : Math.max(0, Math.round((clock.now() - oldest.getTime()) / 1_000))
}
