import { exportAudit } from '@cairn/gateway-contracts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DATE_FILTER, NO_DATE, readDateFilter } from '../../shared/dates/date-filter.ts'
import { type ReaderClock, useReaderClock } from '../../shared/dates/periods.ts'
import { Allowed, useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateSpan } from '../../shared/ui/date-span.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FilterChip } from '../../shared/ui/filter-chip.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import { roleQueries } from '../roles/index.ts'
import { groupActions } from './action-groups.ts'
import { ChainCard } from './chain-card.tsx'
import { describeEntry } from './describe-entry.ts'
import { EntryPanel, getActorName } from './entry-panel.tsx'
import { type AuditEntry, auditLogQueries } from './queries.ts'
import { ResultBadge } from './result-badge.tsx'

const COLUMNS: ReadonlyArray<Column<AuditEntry>> = [
  { id: 'action', header: 'Action', renderCell: (row) => <Sentence entry={row} /> },
  { id: 'result', header: 'Result', renderCell: (row) => <ResultBadge result={row.result} /> },
  {
    id: 'ip',
    header: 'IP address',
    renderCell: (row) => <span className="tabular text-muted">{row.ip}</span>,
  },
  {
    id: 'at',
    header: 'Time',
    renderCell: (row) => (
      <span className="whitespace-nowrap text-muted">
        <DateText at={row.at} format="moment" />
      </span>
    ),
  },
]

/**
 * Lists the actor, action, time, address and changes of each audited action. Entries are never
 * removed.
 */
export function AuditLogPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const filter = readFilter(search, useReaderClock())
  const query = useInfiniteQuery(auditLogQueries.listEntryPages(filter))
  const pages = query.data?.pages
  const entries = pages?.flatMap((page) => page.entries)
  const actions = pages?.[0]?.meta.actions ?? []
  const table = useTable('auditLog', COLUMNS)
  const [openedId, setOpenedId] = useState<string | null>(null)
  const isFiltered = ['action', 'actor', 'subject', 'date'].some((name) => search.has(name))
  // A link to filtered entries is followed to read them. The place does not change on the open page.
  const [isFilteredByLink] = useState(isFiltered)
  return (
    <>
      <PageHeader
        text="All audited actions. A sealed entry that is changed or removed is detected."
        hasTimes
      />
      <ChainCard
        // Below entries that still load, the card would move when they have loaded.
        placeOnPhone={!isFilteredByLink ? undefined : query.isPending ? 'hidden' : 'below'}
      />
      <Card>
        <CardHeader
          title="Entries"
          action={
            <HeaderActions>
              {table.menu}
              <CsvLink endpoint={exportAudit} query={filter} />
            </HeaderActions>
          }
        />
        <div className="grid grid-cols-2 gap-3 border-line border-b px-5 py-4 max-sm:[&>:first-child]:col-span-full lg:grid-cols-[16rem_14rem_12rem_auto_auto] sm:items-center">
          <Select
            aria-label="Action"
            value={search.get('action') ?? ''}
            onChange={(event) => url.set({ action: event.target.value })}
          >
            <option value="">All actions</option>
            {groupActions([...actions, search.get('action') ?? '']).map(({ title, options }) => (
              <optgroup key={title} label={title}>
                {options.map(([action, name]) => (
                  <option key={action} value={action}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
          <PersonSelect />
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
          <ObjectFilter />
          {isFiltered && (
            <Button
              size="touch"
              className="justify-self-end lg:col-start-5"
              onClick={() => url.set({ action: null, actor: null, subject: null, ...NO_DATE })}
            >
              Clear the filters
            </Button>
          )}
        </div>
        <DateSpan />
        <DataTable
          caption="Audit log"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: entries }}
          keyOf={(row) => row.id}
          narrow={(row) => <NarrowEntry entry={row} />}
          failed="The audit log could not be loaded."
          onOpen={(row) => setOpenedId(row.id)}
          openLabel={() => 'Details'}
          hasChevrons
          skeletonRows={12}
          empty={
            <EmptyState
              title={isFiltered ? 'No entries found' : 'No actions recorded yet'}
              text={`${isFiltered ? 'No action matches the filter. ' : ''}Fees, minimums and limits are also recorded in the ledger.`}
              action={
                <Allowed permission="ledger.read">
                  <TextLink to="/manage/admin/ledger?type=MoneyRulesSet">
                    History of the money rules
                  </TextLink>
                </Allowed>
              }
            />
          }
        />
        <MoreRows query={query} label="Load older entries" />
      </Card>
      <EntryPanel
        entry={entries?.find(({ id }) => id === openedId) ?? null}
        onClose={() => setOpenedId(null)}
      />
    </>
  )
}

/** Names the object whose entries are shown. */
function ObjectFilter() {
  const [search] = useSearchParams()
  const subject = search.get('subject') ?? ''
  if (subject === '') return null
  return (
    <FilterChip
      text={`About ${subject}`}
      label={`Remove the filter by object ${subject}`}
      cleared={{ subject: null }}
    />
  )
}

/** Selects the entries of one administrator. The filter by an investor comes from a link. */
function PersonSelect() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const canList = useHasPermission()('roles.read')
  const { data } = useQuery({ ...roleQueries.listRoles(), enabled: canList })
  const actor = search.get('actor') ?? ''
  const people = data?.administrators ?? []
  if (!canList) return null
  return (
    <Select
      aria-label="Person"
      value={actor}
      onChange={(event) => url.set({ actor: event.target.value })}
    >
      <option value="">All people</option>
      {actor !== '' && people.every(({ id }) => id !== actor) && (
        <option value={actor}>Another person</option>
      )}
      {people.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

function readFilter(search: URLSearchParams, clock: ReaderClock) {
  const named = ['action', 'actor', 'subject'].flatMap((name) => {
    const value = search.get(name)
    return value === null || value === '' ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(named), ...readDateFilter(search, clock) }
}

function Sentence({ entry }: { entry: AuditEntry }) {
  return (
    <span>
      <span className="font-medium">{getActorName(entry)}</span> {describeEntry(entry)}
    </span>
  )
}

function NarrowEntry({ entry }: { entry: AuditEntry }) {
  return (
    <span className="grid gap-1">
      <Sentence entry={entry} />
      <span className="flex flex-wrap items-center justify-between gap-x-3 text-12 text-muted">
        <DateText at={entry.at} format="moment" />
        {entry.result !== 'success' && <ResultBadge result={entry.result} />}
      </span>
    </span>
  )
}
