import type { ReactNode } from 'react'
import { joinClasses } from './join-classes.ts'
import { Skeleton } from './skeleton.tsx'
import { type Column, LoadingHeaderCell } from './table-column.tsx'

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
              <LoadingHeaderCell key={column.id} column={column} />
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
                  isCompact ? 'h-9 py-0' : 'h-11 py-1',
                  column.align === 'right' && 'text-right',
                )}
              >
                {column.renderPlaceholder?.() ?? (
                  <Skeleton className={joinClasses('h-4', column.placeholder ?? 'w-20')} />
                )}
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

/** A placeholder of a line with a text at each end. `className` is the height of the line. */
export function PlaceholderLine({
  widths: [left, right],
  className,
}: {
  widths: readonly [left: string, right: string]
  className: string
}) {
  return (
    <span className={joinClasses('flex items-center justify-between gap-3', className)}>
      <Skeleton className={joinClasses('h-3', left)} />
      <Skeleton className={joinClasses('h-3', right)} />
    </span>
  )
}

/** A placeholder of a text of 14 px above a text of 12 px. */
export function TwoLinePlaceholder({
  widths: [upper, lower],
  align,
}: {
  widths: readonly [upper: string, lower: string]
  align?: 'right'
}) {
  return (
    <span className={joinClasses('grid', align === 'right' && 'justify-items-end')}>
      <span className="flex h-5 items-center">
        <Skeleton className={joinClasses('h-3.5', upper)} />
      </span>
      <span className="flex h-4 items-center">
        <Skeleton className={joinClasses('h-3', lower)} />
      </span>
    </span>
  )
}
