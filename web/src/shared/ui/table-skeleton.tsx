import type { ReactNode } from 'react'
import { joinClasses } from './join-classes.ts'
import { Skeleton } from './skeleton.tsx'
import { type Column, HeaderCell } from './table-column.tsx'

type LoadingRowsProps<Row> = {
  rows: number
  columns: ReadonlyArray<Column<Row>>
  isNarrow: boolean
  narrowPlaceholder: ReactNode
  isCompact: boolean
  hasBoxes: boolean
  hasChevrons: boolean
}

/**
 * Shows placeholders of the rows. For one row, shows no header: a section with one placeholder
 * usually has no rows, and then shows one line without a header.
 */
export function LoadingRows<Row>(props: LoadingRowsProps<Row>) {
  const { rows, columns, isNarrow, narrowPlaceholder, isCompact, hasBoxes, hasChevrons } = props
  const places = Array.from({ length: rows }, (_, place) => place)
  if (isNarrow) {
    return (
      <div aria-hidden="true" className="divide-y divide-line">
        {places.map((place) => (
          <div key={place} className="px-5 py-3">
            {narrowPlaceholder}
          </div>
        ))}
      </div>
    )
  }
  return (
    <table aria-hidden="true" className="w-full text-14">
      {rows > 1 && (
        <thead>
          <tr>
            {hasBoxes && <td className="w-12" />}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} />
            ))}
            {hasChevrons && <td />}
          </tr>
        </thead>
      )}
      <tbody>
        {places.map((place) => (
          <tr key={place} className={joinClasses(rows > 1 && 'border-line border-t')}>
            {hasBoxes && (
              <td className="pl-4">
                <span className="block size-7" />
              </td>
            )}
            {columns.map((column) => (
              <td
                key={column.id}
                className={joinClasses(
                  'px-3 first:pl-5 last:pr-5',
                  isCompact ? 'h-9' : 'h-11',
                  column.align === 'right' && 'text-right',
                )}
              >
                <Skeleton className={joinClasses('h-4', column.placeholder ?? 'w-20')} />
              </td>
            ))}
            {hasChevrons && (
              <td className="w-4 pr-5">
                <span className="block size-4" />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The placeholder of a row on narrow screens, with two lines. */
export function NarrowPlaceholder({ className }: { className: string }) {
  return (
    <div className={joinClasses('grid content-center gap-2', className)}>
      <PlaceholderLine widths={['w-32', 'w-20']} className="h-4" />
      <PlaceholderLine widths={['w-24', 'w-14']} className="h-3" />
    </div>
  )
}

/** A placeholder of a line with a text at each end. */
export function PlaceholderLine({
  widths: [left, right],
  className,
}: {
  widths: readonly [left: string, right: string]
  /** The height of the line. */
  className: string
}) {
  return (
    <span className={joinClasses('flex items-center justify-between gap-3', className)}>
      <Skeleton className={joinClasses('h-3 max-h-full', left)} />
      <Skeleton className={joinClasses('h-3 max-h-full', right)} />
    </span>
  )
}
