import { account, followingId } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import { createMovePostings, getBalance } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { updateInvestor } from '../investors/investor.ts'
import { applyBonusReturn, computeBonusReturn } from '../referrals/bonus-return.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import { openTransaction } from '../transactions/transaction.ts'
import { listEndingNeeds } from './ending-needs.ts'
import { findActiveInvestment, updateInvestment } from './investment.ts'

const HOUR_MS = 3_600_000

/**
 * Cancels an investment in the cooling-off period. The principal returns to the investor; profit
 * and a paid bonus return to the operator.
 */
export const cancelInvestment: Decider<'CancelInvestment'> = {
  needs: ({ investmentId }, view) => listEndingNeeds(investmentId, view),
  decide: ({ investmentId, investorId }, view, context) => {
    const found = findActiveInvestment(view, investmentId)
    if (isRefusal(found)) return found
    if (found.investorId !== investorId) return refuse('investmentNotYours')
    const untilMs = found.startedAt + findRulesInForce(view).coolingOffHours * HOUR_MS
    if (context.recordedAtMs >= untilMs) {
      return refuse('coolingOffOver')
    }
    const { principalMinor, creditedMinor: profitReturnedMinor, promisedMinor } = found
    const profit = account.getAvailableCode(investorId, 'profit')
    if (getBalance(view, profit) < profitReturnedMinor) {
      return refuse('profitWithdrawn', {
        availableMinor: String(getBalance(view, profit)),
      })
    }
    const releasedMinor = promisedMinor - profitReturnedMinor
    const bonus = computeBonusReturn(view, found)
    const data = {
      investmentId,
      investorId,
      principalMinor,
      profitReturnedMinor,
      releasedMinor,
      ...bonus.data,
    }
    const reserve = account.getOperatorCode('reserve')
    return record(
      { type: 'InvestmentCancelled', data },
      context,
      createMovePostings(
        account.getPrincipalCode(investorId),
        account.getAvailableCode(investorId, 'balance'),
        principalMinor,
      ),
      createMovePostings(profit, reserve, profitReturnedMinor),
      createMovePostings(account.getOperatorCode('committed'), reserve, releasedMinor),
      bonus.postings,
    )
  },
}

export const applyInvestmentCancelled: Evolve<'InvestmentCancelled'> = (data, view, event) => {
  const { investmentId, investorId, principalMinor, profitReturnedMinor } = data
  const { seq } = event
  updateInvestment(view, { investmentId, seq }, ({ creditedMinor }) => ({
    status: 'cancelled',
    creditedMinor: creditedMinor - profitReturnedMinor,
    bonusDueAt: null,
    nextDueAt: null,
    endedAt: event.effectiveAtMs,
  }))
  updateInvestor(view, investorId, (investor) => ({
    activeInvestmentCount: investor.activeInvestmentCount - 1,
    profitMinor: investor.profitMinor - profitReturnedMinor,
  }))
  openTransaction(view, event, {
    transactionId: followingId.derivePrincipalReturnId(investmentId),
    type: 'transfer',
    purpose: 'principal-return',
    status: 'success',
    investorId,
    investmentId,
    amountMinor: principalMinor,
    isCredit: true,
    method: 'balance',
  })
  applyBonusReturn(view, event, data)
}
