import { addDays, type getAdminHistory, type ResponseOf } from '@cairn/gateway-contracts'

import { formatDate } from '../../shared/dates/format-date.ts'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { extendToToday } from './series.ts'

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
/** The saved preference for each range in days. All charts share the preference. */
export const PREFERENCE_OF_RANGE = { 30: '1M', 90: '3M', 365: '1Y' } as const
/** The period of one bar in each range. */
export const BAR_OF_RANGE = { 30: 'day', 90: 'week', 365: 'month' } as const
export type RangeId = (typeof RANGES)[number][0]

const DAY_MS = 86_400_000
const SUNDAY_TO_MONDAY = 6

/**
 * Returns the first day of a range that ends today. The range begins with a whole bar, so it has up to
 * a week or a month more than its days.
 */
export function getFirstDayOfRange(range: RangeId, today: string): string {
  const bar = getBarKey(addDays(today, 1 - Number(range)), range)
  return range === '365' ? `${bar}-01` : bar
}

/**
 * Returns one bar per day for a range of one month, per week for three months, and per month for
 * one year. There is a bar for each period from the first movement to the last. An amount is
 * negative if more was taken back by corrections than was approved.
 */
export function groupFlows(flows: History['flows'], range: RangeId): Flow[] {
  const moved = flows.filter(({ deposits, withdrawals }) => deposits !== 0 || withdrawals !== 0)
  const days = moved.map(({ day }) => day).sort()
  const bars = new Map<string, Flow>()
  for (const day of countDaysBetween(days.at(0), days.at(-1))) {
    const key = getBarKey(day, range)
    const label = formatBarLabel(key, range)
    bars.set(key, { key, label, deposits: 0n, withdrawals: 0n })
  }
  for (const { day, deposits, withdrawals } of moved) {
    const bar = bars.get(getBarKey(day, range))
    if (bar === undefined) continue
    bar.deposits += toMinor(deposits)
    bar.withdrawals += toMinor(withdrawals)
  }
  return [...bars.values()]
}

function countDaysBetween(first: string | undefined, last: string | undefined): readonly string[] {
  if (first === undefined || last === undefined) return []
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  return Array.from({ length: count }, (_, index) => addDays(first, index))
}

function formatBarLabel(key: string, range: RangeId): string {
  if (range === '365') return formatMonth(key)
  const day = formatDate(key, 'day')
  return range === '90' ? `Week from ${day}` : day
}

/** Formats a month of the form `2026-11` as `Nov 2026`. */
export function formatMonth(month: string): string {
  return formatDate(`${month}-01`, 'monthOfYear')
}

function getBarKey(day: string, range: RangeId): string {
  if (range === '30') return day
  if (range === '365') return day.slice(0, 7)
  return addDays(day, -((new Date(day).getUTCDay() + SUNDAY_TO_MONDAY) % 7))
}

/** Converts the amounts to cents, and continues the last point until today. */
export function toCoverageDays(points: History['coverage'], today: string): readonly CoverageDay[] {
  const days = points.map((point) => ({
    day: point.day,
    percentage: point.percentage,
    reserve: toMinor(point.reserve),
    committed: toMinor(point.committed),
    liabilities: toMinor(point.liabilities),
  }))
  return extendToToday(days, today)
}
