import { PERIODS, periodStart } from './periods.ts'

/** The choices of every list that filters by date. */
export const DATE_FILTER = {
  name: 'date',
  label: 'Date',
  options: [
    ['', 'All dates'],
    ['today', 'Today'],
    ['week', 'Week'],
    ['month', 'Month'],
  ],
} as const

/** What the address says about the date, as the API reads it. */
export function fromOf(search: URLSearchParams, now: Date): { from?: string } {
  const period = PERIODS.find((each) => each === search.get('date'))
  return period === undefined ? {} : { from: periodStart(period, now).toISOString() }
}
