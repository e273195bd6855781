import { addDays, dayStart } from '@cairn/gateway-contracts'

import { firstDayOfPeriod, PERIODS, type ReaderClock } from './periods.ts'

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

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What the address says about the date, as the API reads it: from the first moment to before the last. */
export function fromOf(
  search: URLSearchParams,
  clock: ReaderClock,
): { from?: string; to?: string } {
  const asked = search.get('date')
  const at = (day: string) => new Date(dayStart(clock.timeZone, day)).toISOString()
  if (asked === 'custom') {
    const since = dayOf(search, 'since')
    const until = dayOf(search, 'until')
    return {
      ...(since === null ? {} : { from: at(since) }),
      ...(until === null ? {} : { to: at(addDays(until, 1)) }),
    }
  }
  const period = PERIODS.find((each) => each === asked)
  return period === undefined ? {} : { from: at(firstDayOfPeriod(period, clock)) }
}

function dayOf(search: URLSearchParams, name: 'since' | 'until'): string | null {
  const day = search.get(name) ?? ''
  return DAY.test(day) && !Number.isNaN(Date.parse(day)) ? day : null
}
