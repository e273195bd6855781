import { addDays, CHART_RANGES } from '@cairn/gateway-contracts'

import { formatIsoDay } from './periods.ts'

export const RANGES = CHART_RANGES
export type Range = (typeof RANGES)[number]
/** The maximum number of days that one request to the API may cover. */
const DAYS_MAX = 3_650

/**
 * Returns the first day of a range that ends today. The balance at the end of this day is the one
 * with which the range begins.
 */
export function getFirstDayOfRange(range: Range, today: string): string {
  const at = new Date(today)
  const year = at.getUTCFullYear()
  switch (range) {
    case '1W':
      return addDays(today, -7)
    case '1M':
      return subtractMonths(at, 1)
    case '3M':
      return subtractMonths(at, 3)
    case 'YTD':
      return `${year - 1}-12-31`
    case '1Y':
      return subtractMonths(at, 12)
    case 'MAX':
      return addDays(today, -DAYS_MAX)
  }
}

/**
 * Returns the same day of the month, `months` months before the given day. If that month is too
 * short, returns its last day.
 */
function subtractMonths(at: Date, months: number): string {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() - months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return formatIsoDay(Date.UTC(year, month, Math.min(at.getUTCDate(), last)))
}
