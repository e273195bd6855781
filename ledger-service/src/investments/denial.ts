import { account, followingId } from '@cairn/ledger-contracts'
import { balanceNeeds, balanceOf, move } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { investorNeed, updateInvestor } from '../investors/investor.ts'
import type { View } from '../log/view.ts'
import { openTransaction } from '../transactions/transaction.ts'
import {
  activeInvestment,
  type Investment,
  investmentNeed,
  investmentTable,
  updateInvestment,
} from './investment.ts'

/**
 * The operator ends a running investment: the principal returns, profit already credited stays,
 * what was promised beyond it goes back to the reserve, and so does the bonus that is not spent yet.
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
    const found = activeInvestment(view, investmentId)
    if (isRefusal(found)) return found
    const { investorId, principalMinor, bonusTo } = found
    const releasedMinor = found.promisedMinor - found.creditedMinor
    const bonusReturnedMinor = unspentBonus(view, found)
    const data = {
      ...{ investmentId, investorId, principalMinor, releasedMinor },
      ...{ bonusReturnedMinor, bonusTo, reason },
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
  const { investmentId, investorId, principalMinor, bonusReturnedMinor, bonusTo, reason } = data
  const { seq } = event
  updateInvestment(view, { investmentId, seq }, () => ({
    status: 'denied',
    reason,
    nextDueAt: null,
    endedAt: event.effectiveAtMs,
  }))
  updateInvestor(view, { investorId, seq }, ({ activeInvestmentCount }) => ({
    activeInvestmentCount: activeInvestmentCount - 1,
  }))
  const transfer = { type: 'transfer', status: 'success', investmentId, reason } as const
  openTransaction(view, event, {
    ...transfer,
    transactionId: followingId.principalReturn(investmentId),
    purpose: 'principal-return',
    investorId,
    amountMinor: principalMinor,
    isCredit: true,
    method: 'balance',
  })
  if (bonusTo === null || bonusReturnedMinor === 0n) return
  openTransaction(view, event, {
    ...transfer,
    transactionId: followingId.bonusReturn(investmentId),
    purpose: 'bonus-return',
    investorId: bonusTo,
    amountMinor: bonusReturnedMinor,
    isCredit: false,
    method: 'referral',
  })
  updateInvestor(view, { investorId: bonusTo, seq }, ({ referralMinor }) => ({
    referralMinor: referralMinor - bonusReturnedMinor,
  }))
}

function unspentBonus(view: View, { bonusTo, bonusMinor }: Investment): bigint {
  if (bonusTo === null) return 0n
  const availableMinor = balanceOf(view, account.available(bonusTo, 'referral'))
  return availableMinor < bonusMinor ? availableMinor : bonusMinor
}
