import { DATE_FILTER, NO_DATE, readDateFilter } from '../../shared/dates/date-filter.ts'
import type { ReaderClock } from '../../shared/dates/periods.ts'
import type { Filter } from '../../shared/ui/filter-bar.tsx'
import { ROWS_PER_PAGE, readPagePlace, readSort } from '../../shared/url/page-of.ts'
import type { TransactionQuery } from './queries.ts'

const TYPES = ['deposit', 'withdrawal', 'transfer'] as const
const STATUSES = ['pending', 'success', 'declined'] as const

export const FILTERS: readonly Filter[] = [
  {
    name: 'type',
    label: 'Type',
    options: [
      ['', 'All types'],
      ['deposit', 'Deposit'],
      ['withdrawal', 'Withdrawal'],
      ['transfer', 'Transfer'],
    ],
  },
  {
    name: 'status',
    label: 'Status',
    options: [
      ['', 'All statuses'],
      ['pending', 'Pending'],
      ['success', 'Success'],
      ['declined', 'Declined or cancelled'],
    ],
  },
  DATE_FILTER,
]

/** The URL parameters of the filters. Clearing the filters removes these parameters. */
export const NO_FILTER = { q: null, type: null, status: null, ...NO_DATE, page: null } as const

/** Reads the filter from the URL and ignores unknown values. */
export function readTransactionQuery(
  search: URLSearchParams,
  clock: ReaderClock,
): TransactionQuery {
  const type = TYPES.find((each) => each === search.get('type'))
  const status = STATUSES.find((each) => each === search.get('status'))
  const q = search.get('q')?.trim() ?? ''
  return {
    ...readPagePlace(search),
    ...readSort(search),
    limit: ROWS_PER_PAGE,
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
    ...readDateFilter(search, clock),
    ...(q === '' ? {} : { q: q.slice(0, 100) }),
  }
}
