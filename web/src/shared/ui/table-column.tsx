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
   * The usual width of the cells, as a class. With it, the placeholders keep the columns in place, and
   * a table that is too wide for the screen is never replaced after loading.
   */
  placeholder?: string
  /** Renders a placeholder in a form of its own, if the cells have more than one line. */
  renderPlaceholder?: () => ReactNode
  /** The key by which the header sorts the list. Without a key, the header is not a button. */
  sort?: SortKey
}

const SORT_ICON = 'size-3.5'

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

/** The header of the placeholders, which has the width of the header of the loaded list. */
export function LoadingHeaderCell<Row>({ column }: { column: Column<Row> }) {
  if (column.sort === undefined) return <HeaderCell column={column} />
  return (
    <th scope="col" className={getHeaderClasses(column)}>
      <span className="inline-flex items-center gap-1">
        {column.header}
        <ChevronsUpDown aria-hidden="true" className={SORT_ICON} />
      </span>
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
        <Icon aria-hidden="true" className={SORT_ICON} />
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
