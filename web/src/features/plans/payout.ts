import type { Plan } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'

import { formatMoneyBriefly, type Minor, parseMoney, toMinor } from '../../shared/money/money.ts'
import { computePercent } from '../../shared/money/percent.ts'

const UNIT_MS = { hours: 3_600_000, days: 86_400_000 } as const

export type Terms = Pick<Plan, 'planDuration' | 'timingParameter' | 'returnPrincipal'> & {
  percentage: number | string
}

export type Payout = {
  /** The profit of the whole term, rounded half up to the cent. */
  profit: Minor
  /**
   * The amount that is paid out: the profit, plus the principal if the plan returns the principal.
   */
  back: Minor
  returnsPrincipal: boolean
  endsAtMs: number
}

export function computePayout(plan: Terms, principal: Minor, startMs: number): Payout {
  const profit = computePercent(principal, plan.percentage)
  return {
    profit,
    back: plan.returnPrincipal ? principal + profit : profit,
    returnsPrincipal: plan.returnPrincipal,
    endsAtMs: startMs + plan.planDuration * UNIT_MS[plan.timingParameter],
  }
}

/**
 * Returns the amount by which the payout is below the principal if the operator meets the terms.
 * Returns zero if the payout is not below the principal.
 */
export function computeLoss(
  plan: Omit<Terms, 'planDuration' | 'timingParameter'>,
  principal: Minor,
): Minor {
  const profit = computePercent(principal, plan.percentage)
  return plan.returnPrincipal || profit >= principal ? 0n : principal - profit
}

export function getPlanName(plan: Pick<Plan, 'name' | 'planDuration' | 'timingParameter'>): string {
  return plan.name ?? `${plan.planDuration}-${plan.timingParameter.slice(0, -1)} plan`
}

export function formatTerm(plan: Pick<Plan, 'planDuration' | 'timingParameter'>): string {
  const unit = plan.timingParameter === 'hours' ? 'hour' : 'day'
  return formatCounted(plan.planDuration, unit)
}

/** Formats `$50 to $1,000`, or `$5,000 or more`. */
export function formatLimits({
  minDeposit,
  maxDeposit,
}: Pick<Plan, 'minDeposit' | 'maxDeposit'>): string {
  const min = formatMoneyBriefly(toMinor(minDeposit))
  return maxDeposit === null
    ? `${min} or more`
    : `${min} to ${formatMoneyBriefly(toMinor(maxDeposit))}`
}

/**
 * Returns the reason why the amount cannot be invested, or null. If there are several reasons,
 * returns the first in the documented order.
 */
export function findRefusal(
  plan: Pick<Plan, 'minDeposit' | 'maxDeposit'> | null,
  typed: string,
  balance: Minor | null,
): string | null {
  if (plan === null) return 'Please select a plan first'
  const amount = parseMoney(typed)
  if (amount === null || amount <= 0n) return 'Enter an amount with at most two decimals'
  if (balance !== null && amount > balance) return 'Insufficient wallet balance'
  const min = toMinor(plan.minDeposit)
  if (amount < min) {
    return `The selected plan requires a minimum deposit of ${formatMoneyBriefly(min)}`
  }
  const max = plan.maxDeposit === null ? null : toMinor(plan.maxDeposit)
  if (max !== null && amount > max) {
    return `You can't invest more than ${formatMoneyBriefly(max)} on this plan`
  }
  return null
}
