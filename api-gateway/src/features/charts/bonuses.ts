import { type EventType, parseFact, type RecordedEvent } from '@cairn/ledger-contracts'
import type { Follower } from '../../platform/jobs/follower.ts'
import { addToQuarters, type InvestorAmount, sumByQuarter } from './investor-quarters.ts'

const TABLE = { table: 'platform.investor_bonus_quarter', column: 'bonus_minor' } as const

/** The events that pay a referral bonus or take it back. */
const BONUS_EVENTS: readonly string[] = [
  'ReferralBonusPaid',
  'InvestmentCancelled',
  'InvestmentDenied',
] as const satisfies readonly EventType[]

/** Lists the referral bonus that the event pays. A bonus that is taken back is negative. */
export function listBonuses({
  type,
  data,
  effectiveAt: at,
}: RecordedEvent): readonly InvestorAmount[] {
  if (!BONUS_EVENTS.includes(type)) return []
  const fact = parseFact(type, data)
  switch (fact.type) {
    case 'ReferralBonusPaid':
      return [{ investorId: fact.data.bonusTo, at, amountMinor: fact.data.bonusMinor }]
    case 'InvestmentCancelled':
    case 'InvestmentDenied': {
      const { bonusTo, bonusReturnedMinor } = fact.data
      if (bonusTo === null || bonusReturnedMinor === 0n) return []
      return [{ investorId: bonusTo, at, amountMinor: -bonusReturnedMinor }]
    }
    default:
      return []
  }
}

/** Creates the follower that sums the referral bonuses for the parts of the gain. */
export function createBonusFollower(): Follower {
  return {
    name: 'bonuses.v1',
    handle: (events, trx) => addToQuarters(trx, TABLE, sumByQuarter(events.flatMap(listBonuses))),
    clear: async (trx) => {
      await trx.deleteFrom(TABLE.table).execute()
    },
  }
}
