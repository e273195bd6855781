import { z } from 'zod'
import type { MoneyRules } from './commands.ts'
import { Minor } from './money.ts'

/** Withdrawals asked for and not given back: on the newest day (UTC) with a request, and in its month. */
export const CountedWithdrawals = z.object({
  /** As `2026-11-21`; null: there was none yet. */
  day: z.string().nullable(),
  dayMinor: Minor,
  monthMinor: Minor,
})
export type CountedWithdrawals = z.infer<typeof CountedWithdrawals>

export interface WithdrawalRoom {
  period: 'day' | 'month'
  limitMinor: bigint
  leftMinor: bigint
  /** When nothing of this period counts any more. */
  renewsAt: string
}

type Limits = Pick<MoneyRules, 'dailyWithdrawalLimitMinor' | 'monthlyWithdrawalLimitMinor'>

/** What may still be asked for, under each limit there is: the one rule of the ledger and of its pages. */
export function withdrawalRoom(
  limits: Limits,
  counted: CountedWithdrawals,
  nowMs: number,
): readonly WithdrawalRoom[] {
  const today = utcDayOf(nowMs)
  const isToday = counted.day === today
  const isThisMonth = counted.day !== null && monthOf(counted.day) === monthOf(today)
  const { dailyWithdrawalLimitMinor: daily, monthlyWithdrawalLimitMinor: monthly } = limits
  return [
    ...roomOf('day', daily, isToday ? counted.dayMinor : 0n, nowMs),
    ...roomOf('month', monthly, isThisMonth ? counted.monthMinor : 0n, nowMs),
  ]
}

function roomOf(
  period: WithdrawalRoom['period'],
  limitMinor: bigint | null,
  usedMinor: bigint,
  nowMs: number,
): readonly WithdrawalRoom[] {
  if (limitMinor === null) return []
  // A limit that was lowered, or a decline that was reversed, leaves nothing rather than less.
  const leftMinor = usedMinor > limitMinor ? 0n : limitMinor - usedMinor
  return [{ period, limitMinor, leftMinor, renewsAt: endOf(period, nowMs) }]
}

/** `2026-11-21`: sorts as time does. */
export function utcDayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export function monthOf(day: string): string {
  return day.slice(0, 7)
}

function endOf(period: WithdrawalRoom['period'], nowMs: number): string {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const endMs =
    period === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, now.getUTCDate() + 1)
  return new Date(endMs).toISOString()
}
