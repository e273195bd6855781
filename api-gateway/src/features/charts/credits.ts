import {
  type EventType,
  getAsset,
  getInvestorId,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Follower } from '../../platform/jobs/follower.ts'
import { floorToQuarterHour } from './curves.ts'

/** The events in which an administrator changes a wallet without a payment by the investor. */
const CREDITING: readonly string[] = [
  'WalletFunded',
  'WalletAdjusted',
] as const satisfies readonly EventType[]

export interface Credit {
  investorId: string
  at: string
  amountMinor: bigint
}

/** Sums what administrators credited to each investor in each quarter of an hour. */
export function sumCredits(events: readonly RecordedEvent[]): readonly Credit[] {
  const credits = new Map<string, Credit>()
  for (const { type, effectiveAt, postings } of events) {
    if (!CREDITING.includes(type)) continue
    const at = floorToQuarterHour(effectiveAt)
    for (const { account, amountMinor } of postings) {
      const investorId = getAsset(account) === null ? getInvestorId(account) : null
      if (investorId === null) continue
      const key = `${investorId} ${at}`
      const sumMinor = (credits.get(key)?.amountMinor ?? 0n) + amountMinor
      credits.set(key, { investorId, at, amountMinor: sumMinor })
    }
  }
  return [...credits.values()]
}

/** Creates the follower that sums the credits of administrators for the chart of the net worth. */
export function createCreditFollower(): Follower {
  return {
    name: 'credits.v1',
    handle: async (events, trx) => {
      const credits = sumCredits(events)
      if (credits.length === 0) return
      await sql`
        insert into platform.investor_credit_quarter as known (investor_id, at, credited_minor)
        select * from unnest(${credits.map(({ investorId }) => investorId)}::text[],
          ${credits.map(({ at }) => at)}::timestamptz[],
          ${credits.map(({ amountMinor }) => String(amountMinor))}::bigint[])
        on conflict (investor_id, at) do update set
          credited_minor = known.credited_minor + excluded.credited_minor
      `.execute(trx)
    },
  }
}
