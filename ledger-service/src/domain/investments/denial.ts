import { account, followingId } from '@cairn/ledger-contracts'
import { balanceNeeds, move } from '../accounts/account.ts'
import { computeCreditedThrough, countElapsedUnits } from '../accruals/accrual.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { investorNeed, updateInvestor } from '../investors/investor.ts'
import { applyBonusReturn, bonusReturnNeeds, takeBackBonus } from '../referrals/bonus-return.ts'
import { openTransaction } from '../transactions/transaction.ts'
import {
  findActiveInvestment,
  type Investment,
  investmentNeed,
  investmentTable,
  updateInvestment,
} from './investment.ts'

/**
 * The operator ends a running investment. The profit of ended units is credited first and kept. The
 * principal is returned; on a plan that does not return it, only what exceeds the credited profit, so
 * that a denial never pays more than the term would. The remaining promise goes back to the reserve,
 * and the referral bonus to the marketing account.
 */
export const denyInvestment: Decider<'DenyInvestment'> = {
  needs: ({ investmentId }, view) => {
    const found = view.peek(investmentTable, investmentId)
    if (found === undefined || found === null) return [investmentNeed(investmentId)]
    const { investorId } = found
    return [
      investorNeed(investorId),
      ...balanceNeeds(
        account.available(investorId, 'balance'),
        account.available(investorId, 'profit'),
        account.principal(investorId),
        account.operator('income'),
        account.operator('committed'),
        account.operator('reserve'),
      ),
      ...bonusReturnNeeds(view, found),
    ]
  },
  decide: ({ investmentId, reason }, view, context) => {
    const found = findActiveInvestment(view, investmentId)
    if (isRefusal(found)) return found
    const { investorId, principalMinor } = found
    const units = countEndedUnits(found, context.recordedAtMs)
    const creditedMinor = computeCreditedThrough({ ...found, units })
    const profitMinor = creditedMinor - found.creditedMinor
    const returnedMinor = computeReturned(found, creditedMinor)
    const releasedMinor = found.promisedMinor - creditedMinor
    const bonus = takeBackBonus(view, found)
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
      move(account.operator('committed'), account.available(investorId, 'profit'), profitMinor),
      move(account.principal(investorId), account.available(investorId, 'balance'), returnedMinor),
      move(
        account.principal(investorId),
        account.operator('income'),
        principalMinor - returnedMinor,
      ),
      move(account.operator('committed'), account.operator('reserve'), releasedMinor),
      bonus.postings,
    )
  },
}

export const investmentDenied: Evolve<'InvestmentDenied'> = (data, view, event) => {
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
    transactionId: followingId.principalReturn(investmentId),
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

/** Units that have ended and are not less than those that were credited. */
function countEndedUnits(investment: Investment, nowMs: number): number {
  const { startedAt: startedAtMs, unit, duration, unitsDone } = investment
  return Math.max(unitsDone, countElapsedUnits({ startedAtMs, unit, duration, nowMs }))
}

function computeReturned(
  { principalMinor, returnPrincipal }: Investment,
  creditedMinor: bigint,
): bigint {
  if (returnPrincipal) return principalMinor
  return principalMinor > creditedMinor ? principalMinor - creditedMinor : 0n
}
