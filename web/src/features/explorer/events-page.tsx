import { exportLog, exportLogEvents, toPath } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Link, useSearchParams } from 'react-router-dom'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { getTimeZone, useReader } from '../../shared/dates/reader.ts'
import { toSpan } from '../../shared/dates/wall-clock.ts'
import { toMinor } from '../../shared/money/money.ts'
import { DOWNLOAD_LINK } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { describeAccount, describeActor, describeEvent, readEventFilter } from './describe-event.ts'
import { LogFilter } from './event-filter.tsx'
import { explorerQueries, type LogEvent } from './queries.ts'

const PLACES = [0, 1, 2, 3, 4, 5]

/** Lists the events of the log, newest first. */
export function EventsPage() {
  const [search] = useSearchParams()
  const named = readEventFilter(search)
  const filter = { ...named, ...toSpan(named, getTimeZone(useReader())) }
  const query = useInfiniteQuery(explorerQueries.events(filter))
  const pages = query.data?.pages
  const events = pages?.flatMap((page) => page.events)
  const meta = pages?.[0]?.meta
  const next = pages?.at(-1)?.meta.next ?? null
  return (
    <>
      <PageHeader
        text="All recorded events, newest first."
        actions={
          <a href={toPath(exportLog, {})} download className={DOWNLOAD_LINK}>
            <Download aria-hidden="true" className="size-4" />
            Download log
          </a>
        }
      />
      <LogFilter key={search.toString()} types={meta?.types ?? []} />
      <Card>
        <CardHeader
          title="Events"
          note={
            meta === undefined ? undefined : (
              <span className="tabular" role="status">
                {BigInt(meta.size).toLocaleString('en-US')} in the log
              </span>
            )
          }
          action={<CsvLink endpoint={exportLogEvents} query={filter} what="these events" />}
        />
        {query.isError && !query.isFetchNextPageError && (
          <div className="p-4">
            <FailedState
              message={getErrorMessage(query.error, 'The log could not be read.')}
              onRetry={query.refetch}
              pending={query.isFetching}
            />
          </div>
        )}
        {query.isPending && (
          <div className="grid gap-2 p-4">
            {PLACES.map((place) => (
              <Skeleton key={place} className="h-16 w-full rounded-card" />
            ))}
          </div>
        )}
        {events?.length === 0 && next === null && (
          <EmptyState title="No events found" text="Try another filter" />
        )}
        <ol reversed className="grid gap-2 p-4 empty:hidden">
          {events?.map((event) => (
            <EventStone key={event.seq} event={event} />
          ))}
        </ol>
        <MoreRows query={query} label="Load older events">
          {next !== null && (
            <span className="tabular text-muted">Searched back to event {next}.</span>
          )}
        </MoreRows>
      </Card>
    </>
  )
}

function EventStone({ event }: { event: LogEvent }) {
  const moved = event.postings.reduce((sum, { amount }) => {
    const minor = toMinor(amount)
    return minor > 0n ? sum + minor : sum
  }, 0n)
  return (
    <li>
      <Link
        to={`/manage/admin/ledger/${event.seq}`}
        className="grid gap-x-6 gap-y-1 rounded-card border border-line border-l-4 border-l-accent bg-surface px-4 py-2.5 text-14 hover:bg-sunken sm:grid-cols-[5rem_1fr_auto] sm:items-center"
      >
        <span className="tabular text-muted">{event.seq}</span>
        <span className="grid min-w-0">
          <span className="font-medium">{describeEvent(event.type)}</span>
          <span className="truncate text-12 text-muted">
            by {describeActor(event.actor, event.person?.name)}
            {event.postings.length > 0 &&
              `: ${[...new Set(event.postings.map(({ account }) => describeAccount(account)))].join(', ')}`}
          </span>
        </span>
        <span className="flex items-baseline justify-between gap-4 sm:grid sm:justify-items-end sm:gap-0">
          {event.postings.length > 0 && <MoneyText minor={moved} className="font-medium" />}
          <span className="text-12 text-muted">
            <DateText at={event.recordedAt} format="moment" />
          </span>
        </span>
      </Link>
    </li>
  )
}
