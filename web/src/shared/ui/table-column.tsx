import type { ReactNode } from 'react'

import { cx } from './cx.ts'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'right'
}

export function HeaderCell<Row>({ column }: { column: Column<Row> }) {
  return (
    <th
      scope="col"
      className={cx(
        'h-10 whitespace-nowrap px-3 font-medium text-12 text-muted first:pl-5 last:pr-5',
        column.align === 'right' ? 'text-right' : 'text-left',
      )}
    >
      {column.header}
    </th>
  )
}
