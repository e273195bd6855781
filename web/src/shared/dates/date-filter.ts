import { getFirstDayOfPeriod, PERIODS, type ReaderClock } from './periods.ts'
import { toSpan } from './wall-clock.ts'

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

/** The URL parameters of the date filter. Clearing the filter removes them. */
export const NO_DATE = { date: null, since: null, until: null } as const

/** Reads the date filter from the URL. `from` is inclusive and `to` is exclusive, as in the API. */
export function readDateFilter(
  search: URLSearchParams,
  clock: ReaderClock,
): { from?: string; to?: string } {
  const asked = search.get('date')
  const period = PERIODS.find((each) => each === asked)
  const from = period === undefined ? search.get('since') : getFirstDayOfPeriod(period, clock)
  const to = period === undefined ? search.get('until') : null
  if (period === undefined && asked !== 'custom') return {}
  return toSpan({ from: from ?? '', to: to ?? '' }, clock.timeZone)
}
