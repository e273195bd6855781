import { account, followingId, type Id } from '@cairn/ledger-contracts'
import type { PlacedEvent } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { balanceNeeds, balanceOf, move } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { investorNeed, updateInvestor } from '../investors/investor.ts'
import { openTransaction } from '../transactions/transaction.ts'
import {
  findActiveInvestment,
  type Investment,
  investmentNeed,
  investmentTable,
  updateInvestment,
} from './investment.ts'

/**
 * The operator ends a running investment. The principal is returned and credited profit is kept. The
 * remaining promise goes back to the reserve, and the unspent bonus to the marketing account.
 */
export const denyInvestment: Decider<'DenyInvestment'> = {
  needs: ({ investmentId }, view) => {
    const found = view.peek(investmentTable, investmentId)
    if (found === undefined || found === null) return [investmentNeed(investmentId)]
    const { investorId, bonusTo } = found
    const referrer = bonusTo ?? investorId
    return [
      investorNeed(investorId),
      investorNeed(referrer),
      ...balanceNeeds(
        account.available(investorId, 'balance'),
        account.principal(investorId),
        account.available(referrer, 'referral'),
        account.operator('committed'),
        account.operator('reserve'),
        account.operator('marketing'),
      ),
    ]
  },
  decide: ({ investmentId, reason }, view, context) => {
    const found = findActiveInvestment(view, investmentId)
    if (isRefusal(found)) return found
    const { investorId, principalMinor, bonusTo } = found
    const releasedMinor = found.promisedMinor - found.creditedMinor
    const bonusReturnedMinor = computeUnspentBonus(view, found)
    const data = {
      investmentId,
      investorId,
      principalMinor,
      releasedMinor,
      bonusReturnedMinor,
      bonusTo,
      reason,
    }
    return record(
      { type: 'InvestmentDenied', data },
      context,
      move(account.principal(investorId), account.available(investorId, 'balance'), principalMinor),
      move(account.operator('committed'), account.operator('reserve'), releasedMinor),
      move(
        account.available(bonusTo ?? investorId, 'referral'),
        account.operator('marketing'),
        bonusReturnedMinor,
      ),
    )
  },
}

export const investmentDenied: Evolve<'InvestmentDenied'> = (data, view, event) => {
  const { investmentId, investorId, principalMinor, reason } = data
  const { seq } = event
  updateInvestment(view, { investmentId, seq }, () => ({
    status: 'denied',
    reason,
    nextDueAt: null,
    endedAt: event.effectiveAtMs,
  }))
  updateInvestor(view, investorId, ({ activeInvestmentCount }) => ({
    activeInvestmentCount: activeInvestmentCount - 1,
  }))
  openTransaction(view, event, {
    transactionId: followingId.principalReturn(investmentId),
    type: 'transfer',
    purpose: 'principal-return',
    status: 'success',
    investorId,
    investmentId,
    reason,
    amountMinor: principalMinor,
    isCredit: true,
    method: 'balance',
  })
  returnBonus(view, event, data)
}

/** Opens a transaction in the referrer's wallet that shows the returned bonus and the reason. */
export function returnBonus(
  view: View,
  event: PlacedEvent,
  returned: {
    investmentId: Id
    bonusTo: Id | null
    bonusReturnedMinor: bigint
    /** Null: the investor cancelled the investment. */
    reason: string | null
  },
): void {
  const { investmentId, bonusTo, bonusReturnedMinor, reason } = returned
  if (bonusTo === null || bonusReturnedMinor === 0n) return
  openTransaction(view, event, {
    transactionId: followingId.bonusReturn(investmentId),
    type: 'transfer',
    purpose: 'bonus-return',
    status: 'success',
    investorId: bonusTo,
    investmentId,
    amountMinor: bonusReturnedMinor,
    isCredit: false,
    method: 'referral',
    reason,
  })
  updateInvestor(view, bonusTo, ({ referralMinor }) => ({
    referralMinor: referralMinor - bonusReturnedMinor,
  }))
}

export function computeUnspentBonus(view: View, { bonusTo, bonusMinor }: Investment): bigint {
  if (bonusTo === null) return 0n
  const availableMinor = balanceOf(view, account.available(bonusTo, 'referral'))
  return availableMinor < bonusMinor ? availableMinor : bonusMinor
}
