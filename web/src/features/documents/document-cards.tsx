import { type Endpoint, exportMyCertificates, exportMyStatements } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'

import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { getLastDayOfMonth } from './last-day-of-month.ts'
import { documentQueries } from './queries.ts'

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export function StatementsCard() {
  const query = useQuery(documentQueries.listOwnStatements())
  return (
    <DocumentList
      title="Monthly statements"
      list={exportMyStatements}
      query={query}
      failed="Your statements could not be loaded."
      empty={
        <>
          No statement yet. This month ends on <DateText at={getLastDayOfMonth()} format="day" />{' '}
          (UTC).
        </>
      }
      note="A statement is made after the end of a month (UTC). It lists what the ledger recorded in that month, also if an event has an earlier date."
      documents={query.data?.map(({ id, month, madeAt, path }) => ({
        id,
        path,
        name: MONTH.format(new Date(`${month}-01T00:00:00Z`)),
        note: (
          <>
            Created <DateText at={madeAt} format="day" />
          </>
        ),
      }))}
    />
  )
}

export function CertificatesCard() {
  const query = useQuery(documentQueries.listCertificates())
  return (
    <DocumentList
      title="Investment certificates"
      list={exportMyCertificates}
      query={query}
      failed="Your certificates could not be loaded."
      empty="Each investment that you open has a certificate."
      documents={query.data?.map(({ investmentId, planName, amount, startedAt, path }) => ({
        id: investmentId,
        path,
        name: planName,
        note: (
          <>
            <MoneyText minor={toMinor(amount)} />, from <DateText at={startedAt} format="day" />
          </>
        ),
      }))}
    />
  )
}

type Paper = { id: string; name: string; note: ReactNode; path: string }
type DocumentListProps = {
  title: string
  /** The endpoint that exports the list as a CSV file. */
  list: Endpoint
  query: { isError: boolean; isFetching: boolean; refetch: () => unknown }
  failed: string
  empty: ReactNode
  /** Says below the list what its documents contain. */
  note?: string
  documents: readonly Paper[] | undefined
}

function DocumentList({ title, list, query, failed, empty, note, documents }: DocumentListProps) {
  return (
    <Card>
      <CardHeader
        title={title}
        action={<CsvLink endpoint={list} what={`the list of ${title.toLowerCase()}`} />}
      />
      {query.isError && documents === undefined && (
        <div className="p-5">
          <FailedState message={failed} onRetry={query.refetch} pending={query.isFetching} />
        </div>
      )}
      {documents === undefined && !query.isError && (
        <div className="flex p-5">
          <Skeleton className="h-5 w-full max-sm:h-10" />
        </div>
      )}
      {documents?.length === 0 && <p className="p-5 text-14 text-muted">{empty}</p>}
      <ul className="max-h-96 divide-y divide-line overflow-y-auto">
        {documents?.map(({ id, path, name, note: details }) => (
          <li key={id}>
            <a
              href={path}
              download
              className="flex items-center gap-3 px-5 py-3 text-14 hover:bg-sunken"
            >
              <FileText aria-hidden="true" className="size-5 shrink-0 text-muted" />
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">{name}</span>
                <span className="text-12 text-muted">{details}</span>
              </span>
              <span className="font-medium text-accent underline underline-offset-4">PDF</span>
            </a>
          </li>
        ))}
      </ul>
      {note !== undefined && (
        <p className="max-w-none border-line border-t px-5 py-3 text-12 text-muted">{note}</p>
      )}
    </Card>
  )
}
