import { z } from 'zod'
import { Minor } from './money.ts'
import type { MoneyRules } from './terms.ts'

/**
 * The withdrawals that count against the limits, without declined withdrawals. `day` is the last
 * UTC day with a request. The sums are the sums of this day and of its month.
 */
export const CountedWithdrawals = z.object({
  /** A UTC day such as `2026-11-21`. Null if no withdrawal was ever requested. */
  day: z.string().nullable(),
  dayMinor: Minor,
  monthMinor: Minor,
})
export type CountedWithdrawals = z.infer<typeof CountedWithdrawals>

export interface WithdrawalAllowance {
  period: 'day' | 'month'
  limitMinor: bigint
  leftMinor: bigint
  /** The time at which the period ends and its amounts no longer count. */
  renewsAt: string
}

type Limits = Pick<MoneyRules, 'dailyWithdrawalLimitMinor' | 'monthlyWithdrawalLimitMinor'>

/**
 * Returns, for each limit that is set, the amount that the investor can still withdraw. The ledger
 * and the web pages both use this function.
 */
export function computeWithdrawalAllowances(
  limits: Limits,
  counted: CountedWithdrawals,
  nowMs: number,
): readonly WithdrawalAllowance[] {
  const today = formatUtcDay(nowMs)
  const isToday = counted.day === today
  const isThisMonth = counted.day !== null && getMonth(counted.day) === getMonth(today)
  const { dailyWithdrawalLimitMinor: daily, monthlyWithdrawalLimitMinor: monthly } = limits
  return [
    ...computeAllowance('day', daily, isToday ? counted.dayMinor : 0n, nowMs),
    ...computeAllowance('month', monthly, isThisMonth ? counted.monthMinor : 0n, nowMs),
  ]
}

function computeAllowance(
  period: WithdrawalAllowance['period'],
  limitMinor: bigint | null,
  usedMinor: bigint,
  nowMs: number,
): readonly WithdrawalAllowance[] {
  if (limitMinor === null) return []
  // The used amount can exceed the limit, for example after an administrator has lowered the limit
  // or reversed a decline.
  const leftMinor = usedMinor > limitMinor ? 0n : limitMinor - usedMinor
  return [{ period, limitMinor, leftMinor, renewsAt: computePeriodEnd(period, nowMs) }]
}

/** Returns a UTC day such as `2026-11-21`. Such days can be compared as strings. */
export function formatUtcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export function getMonth(day: string): string {
  return day.slice(0, 7)
}

function computePeriodEnd(period: WithdrawalAllowance['period'], nowMs: number): string {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const endMs =
    period === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, now.getUTCDate() + 1)
  return new Date(endMs).toISOString()
}
