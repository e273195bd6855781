import { firstDayOfPeriod, PERIODS, type ReaderClock } from './periods.ts'
import { spanOf } from './wall-clock.ts'

/** The choices of every list that filters by date. */
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

/** What clearing the date changes in the address. */
export const NO_DATE = { date: null, since: null, until: null } as const

/** What the address says about the date, as the API reads it: from the first moment to before the last. */
export function fromOf(
  search: URLSearchParams,
  clock: ReaderClock,
): { from?: string; to?: string } {
  const asked = search.get('date')
  const period = PERIODS.find((each) => each === asked)
  const from = period === undefined ? search.get('since') : firstDayOfPeriod(period, clock)
  const to = period === undefined ? search.get('until') : null
  if (period === undefined && asked !== 'custom') return {}
  return spanOf({ from: from ?? '', to: to ?? '' }, clock.timeZone)
}
