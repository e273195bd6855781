import {
  account,
  computeCreditedThrough,
  countElapsedUnits,
  followingId,
} from '@cairn/ledger-contracts'
import { createMovePostings } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { updateInvestor } from '../investors/investor.ts'
import { applyBonusReturn, computeBonusReturn } from '../referrals/bonus-return.ts'
import { openTransaction } from '../transactions/transaction.ts'
import { listEndingNeeds } from './ending-needs.ts'
import { findActiveInvestment, type Investment, updateInvestment } from './investment.ts'

/**
 * Ends a running investment on behalf of the operator. The investor keeps the profit of ended
 * units, and never receives more than the full term would pay.
 */
export const denyInvestment: Decider<'DenyInvestment'> = {
  needs: ({ investmentId }, view) => listEndingNeeds(investmentId, view),
  decide: ({ investmentId, reason }, view, context) => {
    const found = findActiveInvestment(view, investmentId)
    if (isRefusal(found)) return found
    const { investorId, principalMinor } = found
    const units = countEndedUnits(found, context.recordedAtMs)
    const creditedMinor = computeCreditedThrough({ ...found, units })
    const profitMinor = creditedMinor - found.creditedMinor
    const returnedMinor = computeReturnedPrincipal(found, creditedMinor)
    const releasedMinor = found.promisedMinor - creditedMinor
    const bonus = computeBonusReturn(view, found)
    const data = {
      investmentId,
      investorId,
      principalMinor,
      units,
      profitMinor,
      creditedMinor,
      returnedMinor,
      releasedMinor,
      ...bonus.data,
      reason,
    }
    return record(
      { type: 'InvestmentDenied', data },
      context,
      createMovePostings(
        account.getOperatorCode('committed'),
        account.getAvailableCode(investorId, 'profit'),
        profitMinor,
      ),
      createMovePostings(
        account.getPrincipalCode(investorId),
        account.getAvailableCode(investorId, 'balance'),
        returnedMinor,
      ),
      createMovePostings(
        account.getPrincipalCode(investorId),
        account.getOperatorCode('income'),
        principalMinor - returnedMinor,
      ),
      createMovePostings(
        account.getOperatorCode('committed'),
        account.getOperatorCode('reserve'),
        releasedMinor,
      ),
      bonus.postings,
    )
  },
}

export const applyInvestmentDenied: Evolve<'InvestmentDenied'> = (data, view, event) => {
  const { investmentId, investorId, returnedMinor, profitMinor, reason } = data
  const { seq } = event
  updateInvestment(view, { investmentId, seq }, () => ({
    status: 'denied',
    reason,
    bonusDueAt: null,
    creditedMinor: data.creditedMinor,
    unitsDone: data.units,
    nextDueAt: null,
    endedAt: event.effectiveAtMs,
  }))
  updateInvestor(view, investorId, (investor) => ({
    activeInvestmentCount: investor.activeInvestmentCount - 1,
    profitMinor: investor.profitMinor + profitMinor,
  }))
  applyBonusReturn(view, event, data)
  if (returnedMinor === 0n) return
  openTransaction(view, event, {
    transactionId: followingId.derivePrincipalReturnId(investmentId),
    type: 'transfer',
    purpose: 'principal-return',
    status: 'success',
    investorId,
    investmentId,
    reason,
    amountMinor: returnedMinor,
    isCredit: true,
    method: 'balance',
  })
}

/** Returns the number of ended units, which is at least the number of credited units. */
function countEndedUnits(investment: Investment, nowMs: number): number {
  const { startedAt: startedAtMs, unit, duration, unitsDone } = investment
  return Math.max(unitsDone, countElapsedUnits({ startedAtMs, unit, duration, nowMs }))
}

function computeReturnedPrincipal(
  { principalMinor, returnPrincipal }: Investment,
  creditedMinor: bigint,
): bigint {
  if (returnPrincipal) return principalMinor
  return principalMinor > creditedMinor ? principalMinor - creditedMinor : 0n
}
