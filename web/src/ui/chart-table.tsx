import type { ReactNode } from 'react'

import { cx } from './cx.ts'

type ChartTableProps = {
  caption: string
  headers: readonly string[]
  rows: ReadonlyArray<{ key: string; cells: readonly ReactNode[] }>
}

/** The first column names the row; the others are figures. */
export function ChartTable({ caption, headers, rows }: ChartTableProps) {
  return (
    <table className="w-full text-14">
      <caption className="sr-only">{caption}</caption>
      <thead className="sticky top-0 bg-surface">
        <tr>
          {headers.map((header, index) => (
            <th
              key={header}
              scope="col"
              className={cx(
                'py-2 font-medium text-12 text-muted',
                index === 0 ? 'text-left' : 'pl-3 text-right',
              )}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} className="border-line border-t">
            {cells.map((cell, index) =>
              index === 0 ? (
                <th
                  key={headers[index]}
                  scope="row"
                  className="whitespace-nowrap py-2 text-left font-normal"
                >
                  {cell}
                </th>
              ) : (
                <td key={headers[index]} className="py-2 pl-3 text-right">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
