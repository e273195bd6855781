import {
  type EventType,
  getAsset,
  getInvestorId,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import type { Follower } from '../../platform/jobs/follower.ts'
import { addToQuarters, type InvestorAmount, sumByQuarter } from './investor-quarters.ts'

const TABLE = { table: 'platform.investor_credit_quarter', column: 'credited_minor' } as const

/** The events in which an administrator changes a wallet without a payment by the investor. */
const CREDITING: readonly string[] = [
  'WalletFunded',
  'WalletAdjusted',
] as const satisfies readonly EventType[]

/** Lists what an administrator credited to investors in the event. */
export function listCredits({
  type,
  effectiveAt,
  postings,
}: RecordedEvent): readonly InvestorAmount[] {
  if (!CREDITING.includes(type)) return []
  return postings.flatMap(({ account, amountMinor }) => {
    const investorId = getAsset(account) === null ? getInvestorId(account) : null
    return investorId === null ? [] : [{ investorId, at: effectiveAt, amountMinor }]
  })
}

/** Creates the follower that sums the credits of administrators for the chart of the net worth. */
export function createCreditFollower(): Follower {
  return {
    name: 'credits.v1',
    handle: (events, trx) => addToQuarters(trx, TABLE, sumByQuarter(events.flatMap(listCredits))),
    clear: async (trx) => {
      await trx.deleteFrom(TABLE.table).execute()
    },
  }
}
