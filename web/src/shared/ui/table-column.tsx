import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from '../url/navigation.tsx'

import { useUrlState } from '../url/url-state.ts'
import { joinClasses } from './join-classes.ts'
import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

/** A value by which the server sorts a list. */
type SortKey = 'createdAt' | 'amount'

export type Column<Row> = {
  id: string
  header: string
  /** A term that the header contains. A button beside the header explains the term. */
  info?: TermName
  renderCell: (row: Row) => ReactNode
  align?: 'right'
  /**
   * The width of a placeholder in the column, as a class. It is set if the cells are much wider than
   * the default, so that a table that is too wide for the screen is never replaced after loading.
   */
  placeholder?: string
  /** The key by which the header sorts the list. Without a key, the header is not a button. */
  sort?: SortKey
}

/** The order of a list if its URL contains no order. */
export const DEFAULT_SORT = '-createdAt'

export function HeaderCell<Row>({ column }: { column: Column<Row> }) {
  return (
    <th scope="col" className={getHeaderClasses(column)}>
      {column.header}
      {column.info !== undefined && <TermInfo term={column.info} />}
    </th>
  )
}

/** The header of a sorted list. The URL stores the order. */
export function SortHeaderCell<Row>({ column, sort }: { column: Column<Row>; sort: SortKey }) {
  const [search] = useSearchParams()
  const url = useUrlState()
  const current = search.get('sort') ?? DEFAULT_SORT
  const order = current === sort ? 'ascending' : current === `-${sort}` ? 'descending' : 'none'
  const next = order === 'descending' ? sort : `-${sort}`
  const Icon = order === 'none' ? ChevronsUpDown : order === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th scope="col" aria-sort={order} className={getHeaderClasses(column)}>
      <button
        type="button"
        onClick={() => url.set({ sort: next === DEFAULT_SORT ? null : next, page: null })}
        className={joinClasses(
          'inline-flex h-8 items-center gap-1 rounded-sm hover:text-ink',
          order !== 'none' && 'text-ink',
        )}
      >
        {column.header}
        <Icon aria-hidden="true" className="size-3.5" />
      </button>
    </th>
  )
}

function getHeaderClasses({ align }: Pick<Column<never>, 'align'>): string {
  return joinClasses(
    'h-10 whitespace-nowrap bg-surface px-3 font-medium text-12 text-muted first:rounded-tl-card first:pl-5 last:rounded-tr-card last:pr-5',
    align === 'right' ? 'text-right' : 'text-left',
  )
}
