import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { FailedState } from './failed-state.tsx'
import { joinClasses } from './join-classes.ts'
import { LoadingPart } from './loading-part.tsx'
import { useNarrowScreen } from './narrow-screen.ts'
import { RowButton } from './row-button.tsx'
import type { RowSelection } from './row-selection.ts'
import { SelectBox } from './select-box.tsx'
import { type Column, HeaderCell, SortHeaderCell } from './table-column.tsx'
import { useTableFit } from './table-fit.ts'
import { LoadingRows, NarrowPlaceholder } from './table-skeleton.tsx'

/**
 * The properties of a query that a list needs. The result object of a TanStack query has all of
 * them.
 */
export type ListQuery<Row> = {
  data: readonly Row[] | undefined
  isError: boolean
  error?: unknown
  /**
   * True if the next page could not be loaded. `MoreRows` shows that failure at the end of the
   * list.
   */
  isFetchNextPageError?: boolean
  isFetching: boolean
  refetch: () => unknown
}

type DataTableProps<Row> = {
  caption: string
  columns: ReadonlyArray<Column<Row>>
  query: ListQuery<Row>
  keyOf: (row: Row) => string
  /**
   * Returns the title of the group to which a row belongs. The rows of a group must follow each
   * other.
   */
  groupOf?: (row: Row) => string
  /** Renders one row on narrow screens. */
  narrow: (row: Row) => ReactNode
  /**
   * Renders the buttons of a row on narrow screens. They are below the row, because a click on the
   * row opens it.
   */
  narrowActions?: ((row: Row) => ReactNode) | undefined
  empty: ReactNode
  /** The error if the rows could not be loaded; null if the page shows the error elsewhere. */
  failed: string | null
  skeletonRows?: number
  /** The placeholder of a row on narrow screens. By default, it has two lines. */
  narrowPlaceholder?: ReactNode
  /** True if the rows have a reduced height. */
  isCompact?: boolean | undefined
  onOpen?: ((row: Row) => void) | undefined
  openLabel?: ((row: Row) => string) | undefined
  /** True if each row ends with a chevron, which shows that the row opens. */
  hasChevrons?: boolean
  /** Adds a checkbox to each row that can be selected. */
  selection?: RowSelection<Row> | undefined
  /** Returns the name of a row for the checkbox that selects the row. */
  nameOf?: ((row: Row) => string) | undefined
}

/**
 * Shows the rows of a list and its loading, failed and empty states. The rows stay if a refresh
 * fails.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, failed, empty } = props
  const { box, isTight } = useTableFit()
  const isNarrow = useNarrowScreen() || isTight
  const rows = query.data
  const hasFailed = query.isError && query.isFetchNextPageError !== true
  return (
    <div ref={box}>
      {hasFailed && failed !== null && (
        <div className="px-5 py-4">
          <FailedState
            message={failed}
            error={query.error}
            onRetry={query.refetch}
            pending={query.isFetching}
          />
        </div>
      )}
      {rows === undefined && (!hasFailed || failed === null) && (
        <LoadingPart hasFailed={hasFailed}>
          <p role="status" className="sr-only">
            Loading
          </p>
          <LoadingRows
            rows={props.skeletonRows ?? 5}
            columns={props.columns}
            isNarrow={isNarrow}
            narrowPlaceholder={props.narrowPlaceholder ?? <NarrowPlaceholder className="h-10" />}
            isCompact={props.isCompact ?? false}
            hasBoxes={props.selection?.isOffered === true}
            hasChevrons={props.hasChevrons ?? false}
          />
        </LoadingPart>
      )}
      {rows !== undefined && rows.length === 0 && empty}
      {rows !== undefined &&
        rows.length > 0 &&
        (isNarrow ? <NarrowRows {...props} rows={rows} /> : <WideRows {...props} rows={rows} />)}
    </div>
  )
}

type Filled<Row> = DataTableProps<Row> & { rows: readonly Row[] }

function WideRows<Row>(props: Filled<Row>) {
  const { caption, columns, rows, keyOf, groupOf, onOpen, openLabel, isCompact = false } = props
  const { selection, hasChevrons = false } = props
  const hasBoxes = selection?.isOffered === true
  return (
    // The section must not scroll. Otherwise the header would stick to the section instead of the
    // window.
    <section aria-label={caption}>
      <table className="w-full text-14">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-16 z-10">
          <tr>
            {hasBoxes && (
              <td className="w-12 rounded-tl-card bg-surface pl-4">
                <SelectBox
                  label="Select all rows on this page"
                  isChecked={selection.areAllSelected}
                  isMixed={selection.rows.length > 0 && !selection.areAllSelected}
                  onToggle={selection.toggleAll}
                />
              </td>
            )}
            {columns.map((column) =>
              column.sort === undefined ? (
                <HeaderCell key={column.id} column={column} />
              ) : (
                <SortHeaderCell key={column.id} column={column} sort={column.sort} />
              ),
            )}
            {hasChevrons && <td className="rounded-tr-card bg-surface" />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <Fragment key={keyOf(row)}>
              <GroupRow
                title={getGroupTitle({ rows, place, groupOf })}
                columns={columns.length + (hasBoxes ? 1 : 0) + (hasChevrons ? 1 : 0)}
              />
              <tr
                onClick={onOpen && (() => onOpen(row))}
                className={joinClasses(
                  'border-line border-t',
                  onOpen !== undefined && 'cursor-pointer hover:bg-sunken',
                )}
              >
                {hasBoxes && (
                  <td className="pl-4">
                    <RowBox {...props} row={row} />
                  </td>
                )}
                {columns.map((column, index) => (
                  <td
                    key={column.id}
                    className={joinClasses(
                      'px-3 first:pl-5 last:pr-5',
                      isCompact ? 'h-9 py-0' : 'h-11 py-1',
                      column.align === 'right' && 'text-right',
                    )}
                  >
                    {index === 0 && onOpen !== undefined ? (
                      <RowButton label={openLabel?.(row)} onOpen={() => onOpen(row)}>
                        {column.renderCell(row)}
                      </RowButton>
                    ) : (
                      column.renderCell(row)
                    )}
                  </td>
                ))}
                {hasChevrons && (
                  <td className="w-4 pr-5">
                    <Chevron />
                  </td>
                )}
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Chevron() {
  return <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
}

function RowBox<Row>({ row, selection, nameOf }: DataTableProps<Row> & { row: Row }) {
  if (selection === undefined || !selection.isSelectable(row)) return null
  return (
    <SelectBox
      label={`Select ${nameOf?.(row) ?? 'this row'}`}
      isChecked={selection.isSelected(row)}
      onToggle={() => selection.toggle(row)}
    />
  )
}

/**
 * Returns the title of the group that begins with this row. Returns null if no group begins with
 * this row.
 */
function getGroupTitle<Row>({
  rows,
  place,
  groupOf,
}: {
  rows: readonly Row[]
  place: number
  groupOf: ((row: Row) => string) | undefined
}): string | null {
  const [row, before] = [rows[place], rows[place - 1]]
  if (groupOf === undefined || row === undefined) return null
  const title = groupOf(row)
  return before !== undefined && groupOf(before) === title ? null : title
}

function GroupRow({ title, columns }: { title: string | null; columns: number }) {
  if (title === null) return null
  return (
    <tr className="border-line border-t bg-sunken">
      <th scope="rowgroup" colSpan={columns} className="h-9 px-5 text-left font-semibold text-12">
        {title}
      </th>
    </tr>
  )
}

function NarrowRows<Row>(props: Filled<Row>) {
  const { caption, rows, keyOf, groupOf, narrow, narrowActions, onOpen, openLabel } = props
  return (
    <ul aria-label={caption} className="divide-y divide-line">
      {rows.map((row, place) => (
        <li key={keyOf(row)} className="wrap-anywhere px-5 py-3 text-14">
          <NarrowGroup title={getGroupTitle({ rows, place, groupOf })} />
          <div className="flex gap-3">
            <RowBox {...props} row={row} />
            <div className="min-w-0 flex-1">
              {onOpen === undefined ? (
                narrow(row)
              ) : (
                <RowButton label={openLabel?.(row)} onOpen={() => onOpen(row)}>
                  {props.hasChevrons === true ? (
                    <span className="flex items-center gap-2">
                      <span className="min-w-0 flex-1">{narrow(row)}</span>
                      <Chevron />
                    </span>
                  ) : (
                    narrow(row)
                  )}
                </RowButton>
              )}
              <div className="pt-2 empty:hidden">{narrowActions?.(row)}</div>
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}

function NarrowGroup({ title }: { title: string | null }) {
  if (title === null) return null
  return <p className="pb-2 font-semibold text-12 text-muted">{title}</p>
}
