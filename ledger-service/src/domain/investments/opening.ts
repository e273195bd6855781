import {
  account,
  computeShare,
  computeUnitEnd,
  type DataOf,
  followingId,
  formatReference,
  type Id,
} from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import { createMovePostings, getBalance, listBalanceNeeds } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import {
  createInvestorNeed,
  findActiveInvestor,
  type Investor,
  investorTable,
  updateInvestor,
} from '../investors/investor.ts'
import { createPlanNeed, findOpenPlan, type Plan } from '../plans/plan.ts'
import { findForfeitReason } from '../referrals/bonus.ts'
import { refuseShortfall } from '../reserve/coverage.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import { openTransaction } from '../transactions/transaction.ts'
import {
  addInvestmentToTotals,
  computeDueAfter,
  createInvestmentNeed,
  type Investment,
  investmentTable,
} from './investment.ts'

const HOUR_MS = 3_600_000

/**
 * Buys a plan from the wallet `balance`. One event moves the principal and commits the whole
 * promised profit from the reserve.
 */
export const openInvestment: Decider<'OpenInvestment'> = {
  needs: ({ investmentId, investorId, planId }, view) => [
    { ...createInvestmentNeed(investmentId), isCreated: true },
    createInvestorNeed(investorId),
    createPlanNeed(planId),
    ...listBalanceNeeds(
      account.getAvailableCode(investorId, 'balance'),
      account.getPrincipalCode(investorId),
      account.getOperatorCode('reserve'),
      account.getOperatorCode('committed'),
    ),
    ...listReferrerNeeds(view, investorId),
  ],
  decide: (data, view, context) => {
    const { investmentId, investorId, planId, amountMinor: principalMinor, planVersion } = data
    if (view.find(investmentTable, investmentId) !== null) {
      return refuse('investmentExists')
    }
    const investor = findActiveInvestor(view, investorId)
    if (isRefusal(investor)) return investor
    const plan = findOpenPlan(view, { planId, seen: planVersion })
    if (isRefusal(plan)) return plan
    const refusedAmount = refuseAmount(view, data, plan)
    if (refusedAmount !== null) return refusedAmount

    const promisedMinor = computeShare(principalMinor, plan.profitPpm)
    const shortfall = refuseShortfall(view, promisedMinor)
    if (shortfall.refusal !== undefined) return shortfall
    const { bonusMinor, bonusTo } = computeBonus(view, { investor, plan, principalMinor })
    const startedAtMs = context.effectiveAtMs
    const bonusDueAt = bonusTo === null ? null : computeBonusDue(view, startedAtMs)
    const { unit } = plan
    const expiresAtMs = computeUnitEnd({ startedAtMs, unit, units: plan.duration })
    const { version, name: planName, duration, returnPrincipal } = plan
    return record(
      {
        type: 'InvestmentOpened',
        data: {
          investmentId,
          investorId,
          planId,
          planVersion: version,
          planName,
          principalMinor,
          promisedMinor,
          unit,
          duration,
          returnPrincipal,
          bonusMinor,
          bonusTo,
          bonusDueAt,
          startedAt: new Date(startedAtMs).toISOString(),
          expiresAt: new Date(expiresAtMs).toISOString(),
        },
      },
      context,
      createMovePostings(
        account.getAvailableCode(investorId, 'balance'),
        account.getPrincipalCode(investorId),
        principalMinor,
      ),
      createMovePostings(
        account.getOperatorCode('reserve'),
        account.getOperatorCode('committed'),
        promisedMinor,
      ),
    )
  },
}

export const applyInvestmentOpened: Evolve<'InvestmentOpened'> = (data, view, event) => {
  const { investmentId, investorId, principalMinor, bonusDueAt } = data
  const row: Investment = {
    ...data,
    reference: formatReference(investmentId),
    status: 'active',
    creditedMinor: 0n,
    unitsDone: 0,
    reason: null,
    bonusDueAt: bonusDueAt === null ? null : Date.parse(bonusDueAt),
    startedAt: Date.parse(data.startedAt),
    expiresAt: Date.parse(data.expiresAt),
    nextDueAt: null,
    endedAt: null,
    seq: event.seq,
    lastSeq: event.seq,
  }
  const opened = { ...row, nextDueAt: computeDueAfter(row, 0) }
  view.put(investmentTable, opened)
  addInvestmentToTotals(view, opened, 1n, event.seq)
  updateInvestor(view, investorId, (investor) => ({
    investmentCount: investor.investmentCount + 1,
    activeInvestmentCount: investor.activeInvestmentCount + 1,
    investedMinor: investor.investedMinor + principalMinor,
  }))
  openTransaction(view, event, {
    type: 'transfer',
    status: 'success',
    investmentId,
    transactionId: followingId.derivePurchaseId(investmentId),
    purpose: 'purchase',
    investorId,
    amountMinor: principalMinor,
    isCredit: false,
    method: 'balance',
  })
}

/** Checks the rules in the same order as the form. */
function refuseAmount(
  view: View,
  { investorId, amountMinor }: DataOf<'OpenInvestment'>,
  { minimumMinor, maximumMinor }: Plan,
): { refusal: Refusal } | null {
  const availableMinor = getBalance(view, account.getAvailableCode(investorId, 'balance'))
  if (amountMinor > availableMinor) {
    return refuse('aboveBalance', {
      availableMinor: String(availableMinor),
    })
  }
  if (amountMinor < minimumMinor) {
    return refuse('belowPlanMinimum', {
      minimumMinor: String(minimumMinor),
    })
  }
  if (maximumMinor !== null && amountMinor > maximumMinor) {
    return refuse('abovePlanMaximum', {
      maximumMinor: String(maximumMinor),
    })
  }
  return null
}

/**
 * Returns the bonus of the direct referrer. The bonus is zero if referrals are disabled or the
 * referrer may not receive a bonus.
 */
function computeBonus(
  view: View,
  purchase: { investor: Investor; plan: Plan; principalMinor: bigint },
): { bonusMinor: bigint; bonusTo: Id | null } {
  const { investor, plan, principalMinor } = purchase
  const none = { bonusMinor: 0n, bonusTo: null }
  if (investor.referrerId === null || !findRulesInForce(view).isReferralEnabled) return none
  if (findForfeitReason(view, { investorId: investor.investorId, bonusTo: investor.referrerId })) {
    return none
  }
  const bonusMinor = computeShare(principalMinor, plan.referralBonusPpm)
  return bonusMinor === 0n ? none : { bonusMinor, bonusTo: investor.referrerId }
}

/**
 * Returns the end of the cooling-off period. Without a cooling-off period, this is the start of the
 * investment.
 */
function computeBonusDue(view: View, startedAtMs: number): string {
  const { coolingOffHours } = findRulesInForce(view)
  return new Date(startedAtMs + coolingOffHours * HOUR_MS).toISOString()
}

function listReferrerNeeds(view: View, investorId: Id): readonly Need[] {
  const referrerId = view.peek(investorTable, investorId)?.referrerId
  if (referrerId === undefined || referrerId === null) return []
  return [createInvestorNeed(referrerId)]
}
