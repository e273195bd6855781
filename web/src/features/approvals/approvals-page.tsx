import { ChangeKind, ChangeState, exportChangeRequests } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { approvalQueries, type ChangeFilter, type ChangeRequest } from '../changes/index.ts'
import { useTable } from '../preferences/index.ts'
import { AdjustmentsCard } from './adjustments-card.tsx'
import { ChangeBadge } from './change-badge.tsx'
import { KIND_LABELS, STATE_LABELS } from './change-labels.ts'
import { ChangePanel } from './change-panel.tsx'

const EVERY = 'every'

const COLUMNS: ReadonlyArray<Column<ChangeRequest>> = [
  {
    id: 'change',
    header: 'Change',
    renderCell: ({ title, kind }) => (
      <span className="grid min-w-48">
        <span className="wrap-anywhere font-medium">{title}</span>
        <span className="text-12 text-muted">{KIND_LABELS[kind]}</span>
      </span>
    ),
  },
  {
    id: 'by',
    header: 'Proposed by',
    renderCell: ({ createdBy, createdAt }) => (
      <span className="grid">
        <span className="wrap-anywhere">{createdBy?.name ?? 'Unknown'}</span>
        <span className="text-12 text-muted">
          <DateText at={createdAt} format="relative" />
        </span>
      </span>
    ),
  },
  {
    id: 'expires',
    header: 'Expires',
    renderCell: ({ state, expiresAt }) =>
      state === 'pending' ? <DateText at={expiresAt} format="relative" /> : '',
  },
  { id: 'state', header: 'Status', renderCell: ({ state }) => <ChangeBadge state={state} /> },
]

/** Lists the change requests that match the filter. By default, lists the open requests. */
export function ApprovalsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const filter = readFilter(search)
  const query = useInfiniteQuery(approvalQueries.listRequestPages(filter))
  const rows = query.data?.pages.flatMap(({ changeRequests }) => changeRequests)
  const table = useTable('changeRequests', COLUMNS, { what: 'change requests' })
  const openedId = search.get('request')
  const opened = rows?.find(({ id }) => id === openedId)
  return (
    <>
      <PageHeader
        text={
          <>
            Changes that weaken a control and large movements of money wait here if two
            administrators must agree. Pending deposits and withdrawals are in{' '}
            <TextLink to="/manage/admin/transactions?status=pending&sort=createdAt">
              Transactions
            </TextLink>
            .
          </>
        }
        hasTimes
      />
      <Card>
        <CardHeader
          title="Change requests"
          action={
            <HeaderActions>
              {table.menu}
              <CsvLink endpoint={exportChangeRequests} query={filter} what="change requests" />
            </HeaderActions>
          }
        />
        <Filters filter={filter} onFilter={(name, value) => url.set({ [name]: value })} />
        <DataTable
          caption="Change requests"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: rows }}
          keyOf={({ id }) => id}
          narrow={(row) => <NarrowChange change={row} />}
          failed="The change requests could not be loaded."
          onOpen={({ id }) => url.set({ request: id })}
          openLabel={() => 'Open the request'}
          skeletonRows={1}
          empty={
            <EmptyLine
              title={filter.state === 'open' ? 'No open requests' : 'No requests found'}
              text="A change that needs a second administrator appears here."
            />
          }
        />
        <MoreRows query={query} label="Load older requests" />
      </Card>
      <AdjustmentsCard />
      <Dialog
        open={openedId !== null}
        onOpenChange={(isOpen) => !isOpen && url.set({ request: null })}
        title={opened?.title ?? 'Change request'}
      >
        {openedId !== null && <ChangePanel key={openedId} id={openedId} />}
      </Dialog>
    </>
  )
}

/** Reads the filter from the URL. Without a state in the URL, only open requests match. */
function readFilter(search: URLSearchParams): ChangeFilter {
  const state = search.get('state')
  const kind = ChangeKind.safeParse(search.get('kind')).data
  if (state === EVERY) return { kind }
  return { state: ChangeState.safeParse(state).data ?? 'open', kind }
}

type FiltersProps = {
  filter: ChangeFilter
  onFilter: (name: 'state' | 'kind', value: string | null) => void
}

function Filters({ filter, onFilter }: FiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-3 border-line border-b px-5 py-4 print:hidden">
      <Select
        aria-label="Status"
        value={filter.state ?? EVERY}
        onChange={({ target }) => onFilter('state', target.value === 'open' ? null : target.value)}
      >
        <option value="open">Open</option>
        {ChangeState.options.map((state) => (
          <option key={state} value={state}>
            {STATE_LABELS[state]}
          </option>
        ))}
        <option value={EVERY}>All states</option>
      </Select>
      <Select
        aria-label="Kind"
        value={filter.kind ?? ''}
        onChange={({ target }) => onFilter('kind', target.value === '' ? null : target.value)}
      >
        <option value="">All kinds</option>
        {ChangeKind.options.map((kind) => (
          <option key={kind} value={kind}>
            {KIND_LABELS[kind]}
          </option>
        ))}
      </Select>
    </div>
  )
}

function NarrowChange({ change }: { change: ChangeRequest }) {
  return (
    <span className="grid gap-1.5">
      <span className="wrap-anywhere font-medium">{change.title}</span>
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-12 text-muted">
          {change.createdBy?.name ?? 'Unknown'},{' '}
          <DateText at={change.createdAt} format="relative" />
        </span>
        <ChangeBadge state={change.state} />
      </span>
    </span>
  )
}
