import type { getAdminHistory, ResponseOf } from '@cairn/gateway-contracts'

import { type Minor, toMinor } from '../../money/money.ts'

type History = ResponseOf<typeof getAdminHistory>
export type Flow = { key: string; label: string; deposits: Minor; withdrawals: Minor }
export type CoverageDay = {
  day: string
  percentage: number
  reserve: Minor
  committed: Minor
  liabilities: Minor
}

export const RANGES = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const
export type RangeId = (typeof RANGES)[number][0]

const DAY_MS = 86_400_000
const SUNDAY_TO_MONDAY = 6

/** The first day that a range of so many days shows, `to` being the last. */
export function firstDayOf(range: RangeId, now: Date): string {
  return toDay(now.getTime() - (Number(range) - 1) * DAY_MS)
}

/** A bar for each day of a month, each week of three, each month of a year. */
export function flowsOf(flows: History['flows'], range: RangeId): Flow[] {
  const bars = new Map<string, Flow>()
  for (const { day, deposits, withdrawals } of flows) {
    const key = barOf(day, range)
    const bar = bars.get(key) ?? {
      key,
      label: range === '90' ? `Week from ${key}` : key,
      deposits: 0n,
      withdrawals: 0n,
    }
    bar.deposits += toMinor(deposits)
    bar.withdrawals += toMinor(withdrawals)
    bars.set(key, bar)
  }
  return [...bars.values()].filter(({ deposits, withdrawals }) => deposits + withdrawals > 0n)
}

function barOf(day: string, range: RangeId): string {
  if (range === '30') return day
  if (range === '365') return day.slice(0, 7)
  const at = new Date(`${day}T00:00:00Z`)
  return toDay(at.getTime() - ((at.getUTCDay() + SUNDAY_TO_MONDAY) % 7) * DAY_MS)
}

export function coverageOf(points: History['coverage']): CoverageDay[] {
  return points.map((point) => ({
    day: point.day,
    percentage: point.percentage,
    reserve: toMinor(point.reserve),
    committed: toMinor(point.committed),
    liabilities: toMinor(point.liabilities),
  }))
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
