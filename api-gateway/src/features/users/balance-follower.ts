import { getInvestorId, getTotalName, type RecordedEvent } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Follower } from '../../platform/jobs/follower.ts'

/**
 * Creates the follower that keeps the copy of the balances by which users are sorted. A follower
 * with a new name reads the log from the start.
 */
export function createBalanceFollower(): Follower {
  return {
    name: 'balances.v1',
    handle: async (events, trx) => {
      const changes = [...sumByInvestor(events)]
      await sql`
        insert into platform.investor_balance as known (investor_id, balance_minor)
        select * from unnest(${changes.map(([investorId]) => investorId)}::text[],
          ${changes.map(([, amountMinor]) => String(amountMinor))}::bigint[])
        on conflict (investor_id) do update
          set balance_minor = known.balance_minor + excluded.balance_minor
      `.execute(trx)
    },
  }
}

function sumByInvestor(events: readonly RecordedEvent[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { account, amountMinor } of events.flatMap(({ postings }) => postings)) {
    const investorId = getInvestorId(account)
    if (investorId === null || getTotalName(account) !== 'balance') continue
    sums.set(investorId, (sums.get(investorId) ?? 0n) + amountMinor)
  }
  return sums
}
