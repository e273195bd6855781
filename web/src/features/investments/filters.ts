import { DATE_FILTER, NO_DATE, readDateFilter } from '../../shared/dates/date-filter.ts'
import type { ReaderClock } from '../../shared/dates/periods.ts'
import type { Filter } from '../../shared/ui/filter-bar.tsx'
import { ROWS_PER_PAGE, readPagePlace, readSort } from '../../shared/url/page-of.ts'
import type { InvestmentQuery } from './queries.ts'

const STATUSES = ['active', 'completed', 'denied'] as const

export const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    options: [
      ['', 'All statuses'],
      ['active', 'Active'],
      ['completed', 'Completed'],
      ['denied', 'Denied'],
    ],
  },
  { ...DATE_FILTER, label: 'Date Range' },
]

/** The URL parameters of the filters. Clearing the filters removes these parameters. */
export const NO_FILTER = { q: null, status: null, ...NO_DATE, page: null } as const

export function readInvestmentQuery(search: URLSearchParams, clock: ReaderClock): InvestmentQuery {
  const status = STATUSES.find((each) => each === search.get('status'))
  const q = search.get('q')?.trim() ?? ''
  return {
    ...readPagePlace(search),
    ...readSort(search),
    limit: ROWS_PER_PAGE,
    ...(status === undefined ? {} : { status }),
    ...readDateFilter(search, clock),
    ...(q === '' ? {} : { q: q.slice(0, 100) }),
  }
}
