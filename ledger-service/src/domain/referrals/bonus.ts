import {
  account,
  type EventDataOf,
  followingId,
  type Id,
  type Posting,
} from '@cairn/ledger-contracts'
import { type PlacedEvent, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { createMovePostings, listBalanceNeeds } from '../accounts/account.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import {
  createInvestmentNeed,
  investmentTable,
  updateInvestment,
} from '../investments/investment.ts'
import { createInvestorNeed, investorTable, updateInvestor } from '../investors/investor.ts'
import { openTransaction } from '../transactions/transaction.ts'

type Forfeit = EventDataOf<'ReferralBonusForfeited'>['cause']

/**
 * Pays the bonus of an investment once the bonus is due, in a separate event. If the referrer may
 * not receive the bonus at that time, the bonus is forfeited permanently.
 */
export const payReferralBonus: Decider<'PayReferralBonus'> = {
  needs: ({ investmentId }, view) => {
    const found = view.peek(investmentTable, investmentId)
    if (found === undefined || found === null) return [createInvestmentNeed(investmentId)]
    if (found.bonusTo === null) return []
    return [
      createInvestorNeed(found.investorId),
      createInvestorNeed(found.bonusTo),
      ...listBalanceNeeds(
        account.getOperatorCode('marketing'),
        account.getAvailableCode(found.bonusTo, 'referral'),
      ),
    ]
  },
  decide: ({ investmentId }, view, context) => {
    const found = view.find(investmentTable, investmentId)
    if (found === null) return refuse('investmentUnknown')
    const { investorId, bonusTo, bonusMinor, bonusDueAt } = found
    if (bonusTo === null || bonusDueAt === null || bonusDueAt > context.recordedAtMs) {
      return refuse('bonusNotDue')
    }
    const data = { investmentId, bonusTo, bonusMinor }
    const cause = findForfeitReason(view, { investorId, bonusTo })
    if (cause !== null) {
      const forfeited = { ...data, investorId, cause }
      return record({ type: 'ReferralBonusForfeited', data: forfeited }, context)
    }
    return record(
      { type: 'ReferralBonusPaid', data },
      context,
      listBonusPostings(bonusTo, bonusMinor),
    )
  },
}

export const applyReferralBonusPaid: Evolve<'ReferralBonusPaid'> = (data, view, event) => {
  const { investmentId } = data
  updateInvestment(view, { investmentId, seq: event.seq }, () => ({ bonusDueAt: null }))
  openBonusTransaction(view, event, data)
}

export const applyReferralBonusForfeited: Evolve<'ReferralBonusForfeited'> = (
  data,
  view,
  { seq },
) => {
  const { investmentId } = data
  const none = { bonusDueAt: null, bonusTo: null, bonusMinor: 0n }
  updateInvestment(view, { investmentId, seq }, () => none)
}

/** Returns the reason why the bonus is not paid, or null if it is paid. */
export function findForfeitReason(
  view: View,
  { investorId, bonusTo }: { investorId: Id; bonusTo: Id },
): Forfeit | null {
  if (view.find(investorTable, investorId)?.standing !== 'active') return 'investor-not-active'
  const referrer = view.find(investorTable, bonusTo)
  if (referrer?.standing !== 'active') return 'referrer-not-active'
  return referrer.bonusLostMinor > 0n ? 'earlier-bonus-lost' : null
}

function listBonusPostings(bonusTo: Id, bonusMinor: bigint): readonly Posting[] {
  return createMovePostings(
    account.getOperatorCode('marketing'),
    account.getAvailableCode(bonusTo, 'referral'),
    bonusMinor,
  )
}

/** Adds the transaction that shows the paid bonus in the referrer's wallet. */
function openBonusTransaction(
  view: View,
  event: PlacedEvent,
  { investmentId, bonusTo, bonusMinor }: EventDataOf<'ReferralBonusPaid'>,
): void {
  openTransaction(view, event, {
    transactionId: followingId.deriveReferralBonusId(investmentId),
    type: 'transfer',
    purpose: 'referral-bonus',
    status: 'success',
    investorId: bonusTo,
    investmentId,
    amountMinor: bonusMinor,
    isCredit: true,
    method: 'referral',
  })
  updateInvestor(view, bonusTo, ({ referralMinor }) => ({
    referralMinor: referralMinor + bonusMinor,
  }))
}
