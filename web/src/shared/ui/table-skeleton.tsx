import { joinClasses } from './join-classes.ts'
import { Skeleton } from './skeleton.tsx'
import { type Column, HeaderCell } from './table-column.tsx'

/**
 * Shows placeholders of the rows. For one row, shows no header: a section with one placeholder
 * usually has no rows, and then shows one line without a header.
 */
export function LoadingRows<Row>({
  rows,
  columns,
  isNarrow,
  narrowHeight,
  isCompact,
  hasBoxes,
  hasChevrons,
}: {
  rows: number
  columns: ReadonlyArray<Column<Row>>
  isNarrow: boolean
  narrowHeight: string
  isCompact: boolean
  hasBoxes: boolean
  hasChevrons: boolean
}) {
  const places = Array.from({ length: rows }, (_, place) => place)
  if (isNarrow) {
    return (
      <div aria-hidden="true" className="divide-y divide-line">
        {places.map((place) => (
          <div key={place} className={joinClasses('grid content-center gap-2 px-5', narrowHeight)}>
            <div className="flex items-center justify-between">
              <Skeleton className="h-4 w-32" />
              <Skeleton className="h-4 w-20" />
            </div>
            <div className="flex items-center justify-between">
              <Skeleton className="h-3 w-24" />
              <Skeleton className="h-3 w-14" />
            </div>
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
