import { PERIODS, type Period, periodStart } from '../../dates/periods.ts'
import type { TransactionQuery } from './queries.ts'

const TYPES = ['deposit', 'withdrawal', 'transfer'] as const
const STATUSES = ['pending', 'success', 'declined'] as const
const ROWS_PER_PAGE = 20

export const FILTERS = {
  type: [
    ['', 'All types'],
    ['deposit', 'Deposit'],
    ['withdrawal', 'Withdrawal'],
    ['transfer', 'Transfer'],
  ],
  status: [
    ['', 'All statuses'],
    ['pending', 'Pending'],
    ['success', 'Success'],
    ['declined', 'Declined'],
  ],
  date: [
    ['', 'All dates'],
    ['today', 'Today'],
    ['week', 'Week'],
    ['month', 'Month'],
  ],
} as const

/** The list that the address names; what it does not understand it leaves out. */
export function queryOf(search: URLSearchParams, now: Date): TransactionQuery {
  const type = TYPES.find((each) => each === search.get('type'))
  const status = STATUSES.find((each) => each === search.get('status'))
  const period: Period | undefined = PERIODS.find((each) => each === search.get('date'))
  const q = search.get('q')?.trim() ?? ''
  return {
    page: pageOf(search),
    limit: ROWS_PER_PAGE,
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
    ...(period === undefined ? {} : { from: periodStart(period, now).toISOString() }),
    ...(q === '' ? {} : { q: q.slice(0, 100) }),
  }
}

export function pageOf(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1')
  return Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1
}
