import { exportLog, exportLogEvents, toPath } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { getTimeZone, useDatePreferences } from '../../shared/dates/date-preferences.ts'
import { toSpan } from '../../shared/dates/wall-clock.ts'
import { getAsset } from '../../shared/money/asset-text.ts'
import { toMinor } from '../../shared/money/money.ts'
import { DOWNLOAD_LINK } from '../../shared/ui/button.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { useNavigate, useSearchParams } from '../../shared/url/navigation.tsx'
import { useTable } from '../preferences/index.ts'
import { describeCount } from './describe-count.ts'
import { describeActor, describeEvent, findStatedMinor, readEventFilter } from './describe-event.ts'
import { describeSubject } from './describe-subject.ts'
import { LogFilter } from './event-filter.tsx'
import { LedgerSelect, useChosenLedger } from './ledger-select.tsx'
import { explorerQueries, type LogEvent } from './queries.ts'
import { LedgerAmount } from './sides.tsx'

const COLUMNS: ReadonlyArray<Column<LogEvent>> = [
  {
    id: 'seq',
    header: 'Number',
    renderCell: (row) => <span className="tabular text-muted">{row.seq}</span>,
  },
  {
    id: 'type',
    header: 'Event',
    renderCell: (row) => <span className="font-medium">{describeEvent(row.type)}</span>,
  },
  {
    id: 'about',
    header: 'About',
    renderCell: (row) => (
      <span className="wrap-anywhere block min-w-24">{describeSubject(row) ?? '–'}</span>
    ),
  },
  {
    id: 'actor',
    header: 'By',
    renderCell: (row) => (
      <span className="wrap-anywhere block min-w-24 text-muted">
        {describeActor(row.actor, row.person?.name)}
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <EventAmount event={row} />,
  },
  {
    id: 'recorded',
    header: 'Recorded',
    renderCell: (row) => (
      <span className="whitespace-nowrap text-muted">
        <DateText at={row.recordedAt} format="moment" />
      </span>
    ),
  },
]

/** Lists the events of the ledger, newest first. */
export function EventsPage() {
  const [search] = useSearchParams()
  const named = readEventFilter(search)
  const ledger = toLedgerQuery(useChosenLedger())
  const filter = { ...ledger, ...named, ...toSpan(named, getTimeZone(useDatePreferences())) }
  const query = useInfiniteQuery(explorerQueries.listEvents(filter))
  const table = useTable('events', COLUMNS)
  const navigate = useNavigate()
  const pages = query.data?.pages
  const events = pages?.flatMap((page) => page.events)
  const meta = pages?.[0]?.meta
  const next = pages?.at(-1)?.meta.next ?? null
  return (
    <>
      <PageHeader
        text="All recorded events, newest first."
        hasTimes
        actions={
          <>
            <LedgerSelect newest={events?.[0]?.seq} />
            <a href={toPath(exportLog, { query: ledger })} download className={DOWNLOAD_LINK}>
              <Download aria-hidden="true" className="size-4" />
              Download ledger
            </a>
          </>
        }
      />
      <LogFilter key={search.toString()} types={meta?.types ?? []} />
      <Card>
        <CardHeader
          title="Events"
          note={
            meta === undefined ? undefined : (
              <span className="tabular" role="status">
                {describeCount({
                  shown: events?.length ?? 0,
                  isComplete: next === null,
                  isFiltered: Object.keys(named).length > 0,
                  size: meta.size,
                })}
              </span>
            )
          }
          action={
            <HeaderActions>
              {table.menu}
              <CsvLink endpoint={exportLogEvents} query={filter} what="these events" />
            </HeaderActions>
          }
        />
        <DataTable
          caption="Events"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: events }}
          keyOf={(row) => row.seq}
          narrow={(row) => <NarrowEvent event={row} />}
          failed={getErrorMessage(query.error, 'The events could not be loaded.')}
          onOpen={(row) => void navigate(`/manage/admin/ledger/${row.seq}`)}
          openLabel={(row) => `Event ${row.seq}`}
          skeletonRows={12}
          empty={
            next === null ? (
              <EmptyState title="No events found" text="Try another filter" />
            ) : (
              <EmptyState
                title={`No events found back to event ${next}`}
                text="Load older events to continue the search."
              />
            )
          }
        />
        <MoreRows query={query} label="Load older events">
          {next !== null && (
            <span className="tabular text-muted">Searched back to event {next}.</span>
          )}
        </MoreRows>
      </Card>
    </>
  )
}

/**
 * Shows the amount that an event states, or else the sum of its credits. Shows no sum if the credits
 * have more than one asset.
 */
function EventAmount({ event }: { event: LogEvent }) {
  const { postings } = event
  const [first] = postings
  const statedMinor = findStatedMinor(event)
  if (first === undefined) return statedMinor === null ? '–' : <MoneyText minor={statedMinor} />
  const isOneAsset = postings.every(({ account }) => getAsset(account) === getAsset(first.account))
  if (!isOneAsset) return '–'
  if (getAsset(first.account) !== null) {
    const moved = postings.reduce((sum, { amount }) => (amount > 0 ? sum + amount : sum), 0)
    return <LedgerAmount amount={moved} code={first.account} />
  }
  const minors = postings.map(({ amount }) => toMinor(amount)).filter((minor) => minor > 0n)
  return <MoneyText minor={statedMinor ?? minors.reduce((sum, minor) => sum + minor, 0n)} />
}

function NarrowEvent({ event }: { event: LogEvent }) {
  return (
    <span className="grid gap-1">
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{describeEvent(event.type)}</span>
        {(event.postings.length > 0 || findStatedMinor(event) !== null) && (
          <EventAmount event={event} />
        )}
      </span>
      <span className="text-12 text-muted">
        {[`#${event.seq}`, describeSubject(event)].filter(Boolean).join(', ')},{' '}
        <DateText at={event.recordedAt} format="moment" />
      </span>
    </span>
  )
}
