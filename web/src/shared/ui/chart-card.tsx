import { ChartNoAxesColumn, Table2 } from 'lucide-react'
import { type ReactNode, Suspense, useId, useState } from 'react'

import { IconButton } from './button.tsx'
import { Card, CardHeader } from './card.tsx'
import { useIdle } from './deferred.ts'
import { FailedState } from './failed-state.tsx'
import { joinClasses } from './join-classes.ts'
import { LoadingPart } from './loading-part.tsx'
import { Skeleton } from './skeleton.tsx'
import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

/**
 * The figures of the chart as a table, for assistive technology. The first column names the row.
 */
type ChartTable = {
  header: readonly string[]
  /** The terms by the header that contains them. A button beside the header explains the term. */
  terms?: Readonly<Record<string, TermName>>
  rows: ReadonlyArray<{ key: string; cells: readonly ReactNode[] }>
}

type ChartCardProps = {
  title: string
  /** A term that the title contains. A button beside the title explains the term. */
  term?: TermName
  note?: ReactNode
  action?: ReactNode
  /**
   * Renders the header of the card in place of the default header. Receives the button that
   * switches to the table.
   */
  head?: (tableButton: ReactNode) => ReactNode
  /** The content above the chart. */
  lead?: ReactNode
  query: { isPending: boolean; isError: boolean; isFetching: boolean; refetch: () => unknown }
  table: ChartTable
  /** The text that the card shows if there is no data for a chart. */
  empty: string
  /** The error if the figures could not be loaded; null if the page shows the error elsewhere. */
  failed: string | null
  size?: keyof typeof HEIGHTS
  /** The chart, which may be a lazy component. */
  children: ReactNode
}

/** `tall` is the chart on the first screen of the investors' dashboard (docs/adr/0196). */
const HEIGHTS = { small: 'h-38', medium: 'h-60', tall: 'h-55' } as const

/** A card that shows a chart or the table of its figures. Its height is the same in every state. */
export function ChartCard(props: ChartCardProps) {
  const { title, term, note, action, head, lead, query, table, empty, failed, children } = props
  const [isTable, setTable] = useState(false)
  const isIdle = useIdle()
  const id = useId()
  const placeholder = <Skeleton className="h-full w-full rounded-card" />
  const hasRows = table.rows.length > 0
  const tableButton = (
    <IconButton
      label="Show as table"
      aria-controls={id}
      aria-pressed={isTable}
      disabled={!hasRows}
      onClick={() => setTable(!isTable)}
      size="small"
    >
      {isTable ? (
        <ChartNoAxesColumn aria-hidden="true" className="size-4" />
      ) : (
        <Table2 aria-hidden="true" className="size-4" />
      )}
    </IconButton>
  )
  const tools = (
    <div className="flex items-center gap-1">
      {action}
      {tableButton}
    </div>
  )
  return (
    <Card className="flex flex-col">
      {head === undefined && <CardHeader title={title} term={term} note={note} action={tools} />}
      <div className="grid flex-1 grid-cols-1 content-start gap-3 px-5 py-4">
        {head?.(tableButton)}
        {lead}
        <div
          id={id}
          className={joinClasses(
            'overflow-auto print:h-auto print:overflow-visible',
            HEIGHTS[props.size ?? 'medium'],
          )}
        >
          {query.isPending || !isIdle ? (
            placeholder
          ) : query.isError && !hasRows ? (
            failed === null ? (
              <LoadingPart hasFailed>{placeholder}</LoadingPart>
            ) : (
              <div className="grid h-full content-center">
                <FailedState message={failed} onRetry={query.refetch} pending={query.isFetching} />
              </div>
            )
          ) : !hasRows ? (
            <p className="grid h-full max-w-none place-content-center text-center text-14 text-muted">
              {empty}
            </p>
          ) : isTable ? (
            <FiguresTable caption={title} table={table} />
          ) : (
            <Suspense fallback={placeholder}>{children}</Suspense>
          )}
        </div>
      </div>
    </Card>
  )
}

function FiguresTable({ caption, table }: { caption: string; table: ChartTable }) {
  const { header, terms, rows } = table
  return (
    <table className="w-full text-14">
      <caption className="sr-only">{caption}</caption>
      <thead className="sticky top-0 bg-surface">
        <tr>
          {header.map((words, index) => (
            <th
              key={words}
              scope="col"
              className={joinClasses(
                'py-2 font-medium text-12 text-muted',
                index === 0 ? 'text-left' : 'pl-3 text-right',
              )}
            >
              {words}
              <HeaderTerm term={terms?.[words]} />
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
                  key={header[index]}
                  scope="row"
                  className="whitespace-nowrap py-2 text-left font-normal"
                >
                  {cell}
                </th>
              ) : (
                <td key={header[index]} className="tabular py-2 pl-3 text-right">
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

function HeaderTerm({ term }: { term: TermName | undefined }) {
  return term === undefined ? null : <TermInfo term={term} />
}
