import { exportAudit } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'

import { DATE_FILTER, NO_DATE, readDateFilter } from '../../shared/dates/date-filter.ts'
import { type ReaderClock, useReaderClock } from '../../shared/dates/periods.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateSpan } from '../../shared/ui/date-span.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { ChainCard } from './chain-card.tsx'
import { describeAction, describeResult, listDetails } from './describe-action.ts'
import { type AuditEntry, auditLogQueries } from './queries.ts'

/**
 * Lists the actor, action, time, address and changes of each audited action. Entries are never
 * removed.
 */
export function AuditLogPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const filter = readFilter(search, useReaderClock())
  const query = useInfiniteQuery(auditLogQueries.trail(filter))
  const pages = query.data?.pages
  const entries = pages?.flatMap((page) => page.entries)
  const actions = pages?.[0]?.meta.actions ?? []
  const isFiltered = ['action', 'actor', 'subject', 'date'].some((name) => search.has(name))
  return (
    <>
      <PageHeader
        text="All audited actions. A changed or removed entry is detected."
        actions={<CsvLink endpoint={exportAudit} query={filter} />}
      />
      <ChainCard />
      <Card>
        <div className="grid gap-3 border-line border-b p-4 sm:grid-cols-[16rem_12rem_auto] sm:items-center">
          <Select
            aria-label="Action"
            value={search.get('action') ?? ''}
            onChange={(event) => url.set({ action: event.target.value })}
          >
            <option value="">All actions</option>
            {[
              ...new Set([...actions, ...(search.get('action') ?? '').split(' ').filter(Boolean)]),
            ].map((action) => (
              <option key={action} value={action}>
                {describeAction(action)}
              </option>
            ))}
          </Select>
          <Select
            aria-label={DATE_FILTER.label}
            value={search.get('date') ?? ''}
            onChange={(event) => url.set({ ...NO_DATE, date: event.target.value })}
          >
            {DATE_FILTER.options.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
          {isFiltered && (
            <Button
              className="justify-self-start"
              onClick={() => url.set({ action: null, actor: null, subject: null, ...NO_DATE })}
            >
              Clear the filters
            </Button>
          )}
        </div>
        <DateSpan />
        {query.isError && !query.isFetchNextPageError && (
          <div className="p-4">
            <FailedState
              message="The audit log could not be loaded."
              onRetry={query.refetch}
              pending={query.isFetching}
            />
          </div>
        )}
        {query.isPending && (
          <div className="grid gap-3 p-4">
            <Skeleton className="h-14 w-full" />
            <Skeleton className="h-14 w-full" />
            <Skeleton className="h-14 w-full" />
          </div>
        )}
        {entries?.length === 0 && <EmptyState title="No entries found" />}
        <ul className="divide-y divide-line">
          {entries?.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
        <MoreRows query={query} label="Load older entries" />
      </Card>
    </>
  )
}

function readFilter(search: URLSearchParams, clock: ReaderClock) {
  const named = ['action', 'actor', 'subject'].flatMap((name) => {
    const value = search.get(name)
    return value === null || value === '' ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(named), ...readDateFilter(search, clock) }
}

function Entry({ entry }: { entry: AuditEntry }) {
  const lines = listDetails(entry.details)
  return (
    <li className="grid gap-2 px-5 py-3 text-14">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p>
          <span className="font-medium">{describeAction(entry.action)}</span>
          {describeResult(entry.result)} by{' '}
          {entry.actor === undefined ? (
            'a visitor'
          ) : (
            <TextLink to={`?actor=${entry.actor.id}`}>{entry.actor.name}</TextLink>
          )}
        </p>
        <p className="text-12 text-muted">
          <DateText at={entry.at} format="moment" /> from{' '}
          <span className="tabular">{entry.ip}</span>
        </p>
      </div>
      {lines.length > 0 && (
        <dl className="grid gap-1 text-12">
          {lines.map(({ name, before, after }) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-muted">{name}:</dt>
              <dd className="min-w-0 break-all">
                {before !== null && (
                  <>
                    <del className="text-muted">{before}</del>{' '}
                  </>
                )}
                {after}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="flex flex-wrap gap-x-4 text-12 text-muted">
        {entry.subject !== null && (
          <TextLink to={`?subject=${encodeURIComponent(entry.subject)}`} className="py-1">
            All entries about {entry.subject}
          </TextLink>
        )}
        {entry.event !== null && (
          <TextLink to={`/manage/admin/ledger/${entry.event}`} className="py-1">
            Event {entry.event}
          </TextLink>
        )}
      </p>
    </li>
  )
}
