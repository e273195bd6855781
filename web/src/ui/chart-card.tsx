import { type ReactNode, Suspense, useId, useState } from 'react'

import { Button } from './button.tsx'
import { Card, CardHeader } from './card.tsx'
import { FailedState } from './failed-state.tsx'
import { useIdle } from './idle.ts'
import { Skeleton } from './skeleton.tsx'

/** The same figures in rows, for whoever reads no pictures. */
export type ChartTable = {
  header: readonly string[]
  rows: ReadonlyArray<{ key: string; cells: readonly ReactNode[] }>
}

type ChartCardProps = {
  title: string
  note?: ReactNode
  action?: ReactNode
  query: { isPending: boolean; isError: boolean; isFetching: boolean; refetch: () => unknown }
  table: ChartTable
  /** Said instead of an empty picture. */
  empty: string
  failed: string
  /** The picture; it may be loaded with its chunk. */
  children: ReactNode
}

/** A chart keeps its height through loading, failing and being a table. */
export function ChartCard(props: ChartCardProps) {
  const { title, note, action, query, table, empty, failed, children } = props
  const [isTable, setTable] = useState(false)
  const id = useId()
  const placeholder = <Skeleton className="h-full w-full rounded-card" />
  const hasRows = table.rows.length > 0
  return (
    <Card>
      <CardHeader title={title} note={note} action={action} />
      <div id={id} className="h-72 overflow-auto p-5">
        {query.isPending ? (
          placeholder
        ) : query.isError && !hasRows ? (
          <FailedState message={failed} onRetry={query.refetch} pending={query.isFetching} />
        ) : !hasRows ? (
          <p className="text-14 text-muted">{empty}</p>
        ) : isTable ? (
          <FiguresTable caption={title} table={table} />
        ) : (
          <Suspense fallback={placeholder}>{children}</Suspense>
        )}
      </div>
      <div className="border-line border-t px-5 py-2">
        <Button
          size="small"
          look="quiet"
          aria-controls={id}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
          className="-ml-3"
        >
          Show as table
        </Button>
      </div>
    </Card>
  )
}

function FiguresTable({ caption, table }: { caption: string; table: ChartTable }) {
  return (
    <table className="w-full text-14">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {table.header.map((words, index) => (
            <th
              key={words}
              scope="col"
              className={`pb-2 font-medium text-12 text-muted ${index === 0 ? 'text-left' : 'text-right'}`}
            >
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ key, cells }) => (
          <tr key={key} className="border-line border-t">
            {cells.map((cell, index) => (
              <td
                key={table.header[index]}
                className={`tabular py-1.5 ${index === 0 ? 'text-left' : 'text-right'}`}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
