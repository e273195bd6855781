import {
  account,
  type DataOf,
  followingId,
  type Id,
  type Posting,
  referenceOf,
  shareOf,
} from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import { balanceNeeds, balanceOf, move } from '../accounts/account.ts'
import { computeUnitEnd } from '../accruals/accrual.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import {
  findActiveInvestor,
  type Investor,
  investorNeed,
  investorTable,
  updateInvestor,
} from '../investors/investor.ts'
import { findOpenPlan, type Plan, planNeed } from '../plans/plan.ts'
import { refuseShortfall } from '../reserve/coverage.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import { openTransaction } from '../transactions/transaction.ts'
import {
  computeDueAfter,
  countInvestment,
  type Investment,
  investmentNeed,
  investmentTable,
} from './investment.ts'

/**
 * Buys a plan from the wallet `balance`. One event moves the principal, commits the whole promised
 * profit from the reserve, and credits the bonus of the referrer.
 */
export const openInvestment: Decider<'OpenInvestment'> = {
  needs: ({ investmentId, investorId, planId }, view) => [
    investmentNeed(investmentId),
    investorNeed(investorId),
    planNeed(planId),
    ...balanceNeeds(
      account.available(investorId, 'balance'),
      account.principal(investorId),
      account.operator('reserve'),
      account.operator('committed'),
      account.operator('marketing'),
    ),
    ...referrerNeeds(view, investorId),
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

    const promisedMinor = shareOf(principalMinor, plan.profitPpm)
    const shortfall = refuseShortfall(view, promisedMinor)
    if (shortfall.refusal !== undefined) return shortfall
    const { bonusMinor, bonusTo } = bonusOf(view, { investor, plan, principalMinor })
    const startedAtMs = context.effectiveAtMs
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
          startedAt: new Date(startedAtMs).toISOString(),
          expiresAt: new Date(expiresAtMs).toISOString(),
        },
      },
      context,
      move(account.available(investorId, 'balance'), account.principal(investorId), principalMinor),
      move(account.operator('reserve'), account.operator('committed'), promisedMinor),
      listBonusPostings(bonusTo, bonusMinor),
    )
  },
}

export const investmentOpened: Evolve<'InvestmentOpened'> = (data, view, event) => {
  const { investmentId, investorId, principalMinor, bonusTo, bonusMinor } = data
  const row: Investment = {
    ...data,
    reference: referenceOf(investmentId),
    status: 'active',
    creditedMinor: 0n,
    unitsDone: 0,
    reason: null,
    startedAt: Date.parse(data.startedAt),
    expiresAt: Date.parse(data.expiresAt),
    nextDueAt: null,
    endedAt: null,
    seq: event.seq,
    lastSeq: event.seq,
  }
  const opened = { ...row, nextDueAt: computeDueAfter(row, 0) }
  view.put(investmentTable, opened)
  countInvestment(view, opened, 1n, event.seq)
  updateInvestor(view, investorId, (investor) => ({
    investmentCount: investor.investmentCount + 1,
    activeInvestmentCount: investor.activeInvestmentCount + 1,
    investedMinor: investor.investedMinor + principalMinor,
  }))
  const transfer = { type: 'transfer', status: 'success', investmentId } as const
  openTransaction(view, event, {
    ...transfer,
    transactionId: followingId.purchase(investmentId),
    purpose: 'purchase',
    investorId,
    amountMinor: principalMinor,
    isCredit: false,
    method: 'balance',
  })
  if (bonusTo === null || bonusMinor === 0n) return
  openTransaction(view, event, {
    ...transfer,
    transactionId: followingId.referralBonus(investmentId),
    purpose: 'referral-bonus',
    investorId: bonusTo,
    amountMinor: bonusMinor,
    isCredit: true,
    method: 'referral',
  })
  updateInvestor(view, bonusTo, ({ referralMinor }) => ({
    referralMinor: referralMinor + bonusMinor,
  }))
}

/** Checks in the same order as the form. */
function refuseAmount(
  view: View,
  { investorId, amountMinor }: DataOf<'OpenInvestment'>,
  { minimumMinor, maximumMinor }: Plan,
): { refusal: Refusal } | null {
  const availableMinor = balanceOf(view, account.available(investorId, 'balance'))
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

/** A bonus for the direct referrer, if referrals are enabled and both investors are active. */
function bonusOf(
  view: View,
  purchase: { investor: Investor; plan: Plan; principalMinor: bigint },
): { bonusMinor: bigint; bonusTo: Id | null } {
  const { investor, plan, principalMinor } = purchase
  const none = { bonusMinor: 0n, bonusTo: null }
  if (investor.referrerId === null || !findRulesInForce(view).isReferralEnabled) return none
  if (view.find(investorTable, investor.referrerId)?.standing !== 'active') return none
  const bonusMinor = shareOf(principalMinor, plan.referralBonusPpm)
  return bonusMinor === 0n ? none : { bonusMinor, bonusTo: investor.referrerId }
}

function listBonusPostings(bonusTo: Id | null, bonusMinor: bigint): readonly Posting[] {
  if (bonusTo === null) return []
  return move(account.operator('marketing'), account.available(bonusTo, 'referral'), bonusMinor)
}

function referrerNeeds(view: View, investorId: Id): readonly Need[] {
  const referrerId = view.peek(investorTable, investorId)?.referrerId
  if (referrerId === undefined || referrerId === null) return []
  return [investorNeed(referrerId), ...balanceNeeds(account.available(referrerId, 'referral'))]
}
