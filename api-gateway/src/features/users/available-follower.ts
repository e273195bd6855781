import { getInvestorId, getTotalName, type RecordedEvent, Wallet } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Follower } from '../../platform/jobs/follower.ts'

/** The accounts whose sum an investor can withdraw, in the currency of the ledger. */
const WALLETS: readonly string[] = Wallet.options

/**
 * Creates the follower that sums the wallets of each investor. Lists of users are sorted by this
 * copy. A follower with a new name reads the log from the start.
 */
export function createAvailableFollower(): Follower {
  return {
    name: 'available.v1',
    handle: async (events, trx) => {
      const changes = [...sumByInvestor(events)]
      await sql`
        insert into platform.investor_available as known (investor_id, available_minor)
        select * from unnest(${changes.map(([investorId]) => investorId)}::text[],
          ${changes.map(([, amountMinor]) => String(amountMinor))}::bigint[])
        on conflict (investor_id) do update
          set available_minor = known.available_minor + excluded.available_minor
      `.execute(trx)
    },
    clear: async (trx) => {
      await trx.deleteFrom('platform.investor_available').execute()
    },
  }
}

function sumByInvestor(events: readonly RecordedEvent[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { account, amountMinor } of events.flatMap(({ postings }) => postings)) {
    const investorId = getInvestorId(account)
    if (investorId === null || !WALLETS.includes(getTotalName(account))) continue
    sums.set(investorId, (sums.get(investorId) ?? 0n) + amountMinor)
  }
  return sums
}
