import { getFirstDayOfPeriod, PERIODS, type ReaderClock } from './periods.ts'
import { spanOf } from './wall-clock.ts'

/** The options of every date filter. */
export const DATE_FILTER = {
  name: 'date',
  label: 'Date',
  options: [
    ['', 'All dates'],
    ['today', 'Today'],
    ['week', 'This week'],
    ['month', 'This month'],
    ['quarter', 'This quarter'],
    ['custom', 'From … to …'],
  ],
} as const

/** The URL parameters that clearing the date removes. */
export const NO_DATE = { date: null, since: null, until: null } as const

/** Reads the date filter from the URL as the API expects it: inclusive start, exclusive end. */
export function fromOf(
  search: URLSearchParams,
  clock: ReaderClock,
): { from?: string; to?: string } {
  const asked = search.get('date')
  const period = PERIODS.find((each) => each === asked)
  const from = period === undefined ? search.get('since') : getFirstDayOfPeriod(period, clock)
  const to = period === undefined ? search.get('until') : null
  if (period === undefined && asked !== 'custom') return {}
  return spanOf({ from: from ?? '', to: to ?? '' }, clock.timeZone)
}
