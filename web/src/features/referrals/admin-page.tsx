import { exportReferralsOf, exportReferrers } from '@cairn/gateway-contracts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Pagination } from '../../shared/ui/pagination.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { UserBadge } from '../../shared/ui/user-badge.tsx'
import { useNavigate, useSearchParams } from '../../shared/url/navigation.tsx'
import { ROWS_PER_PAGE, readPagePlace } from '../../shared/url/page-of.ts'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import { type Referred, type Referrer, referrerQueries } from './admin-queries.ts'

const COLUMNS: ReadonlyArray<Column<Referrer>> = [
  { id: 'name', header: 'Referrer', renderCell: (row) => <Name row={row} /> },
  {
    id: 'referred',
    header: 'Referred',
    align: 'right',
    renderCell: (row) => <span className="tabular">{row.referred}</span>,
  },
  {
    id: 'active',
    header: 'Active referrals',
    align: 'right',
    renderCell: (row) => <span className="tabular">{row.active}</span>,
  },
  {
    id: 'earned',
    header: 'Bonuses',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.earned)} />,
  },
  {
    id: 'available',
    header: 'Available',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.available)} />,
  },
]

const REFERRED: ReadonlyArray<Column<Referred>> = [
  { id: 'name', header: 'User', renderCell: (row) => <Name row={row} /> },
  {
    id: 'joined',
    header: 'Joined',
    renderCell: (row) => <DateText at={row.joinedAt} format="day" />,
  },
  {
    id: 'earned',
    header: 'Bonuses',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.earned)} />,
  },
  { id: 'status', header: 'Status', renderCell: (row) => <UserBadge status={row.status} /> },
]

export function ReferrersPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const navigate = useNavigate()
  const openedId = search.get('referrer')
  const query = useQuery(
    referrerQueries.listReferrers({ ...readPagePlace(search), limit: ROWS_PER_PAGE }),
  )
  const referred = useInfiniteQuery({
    ...referrerQueries.listReferralsOfUser(openedId ?? ''),
    enabled: openedId !== null,
  })
  const table = useTable('referrers', COLUMNS, { hasViews: false })
  const opened = query.data?.referrers.find(({ id }) => id === openedId)
  return (
    <>
      <PageHeader
        above={{ to: '/manage/admin/dashboard', label: 'Dashboard' }}
        text="Referrers, their referred users and their bonuses."
      />
      <Card>
        <CardHeader
          title="Referrers"
          action={
            <HeaderActions>
              {table.menu}
              <CsvLink endpoint={exportReferrers} />
            </HeaderActions>
          }
        />
        <DataTable
          caption="Referrers"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: query.data?.referrers }}
          keyOf={(row) => row.id}
          narrow={(row) => (
            <span className="grid grid-cols-1 gap-1">
              <NameAndBonuses row={row} />
              <span className="text-12 text-muted">
                {row.referred} referred, {row.active} active
              </span>
            </span>
          )}
          failed="The referrals could not be loaded."
          onOpen={(row) => url.set({ referrer: row.id })}
          openLabel={(row) => `Users referred by ${row.name}`}
          empty={<EmptyState title="No referrals yet" />}
        />
        <Pagination
          pages={query.data?.meta.pages ?? 1}
          rows={query.isPlaceholderData ? undefined : query.data?.referrers}
        />
      </Card>
      <SidePanel
        open={openedId !== null}
        onOpenChange={(isOpen) => !isOpen && url.set({ referrer: null })}
        title={opened === undefined ? 'Referred by this user' : `Referred by ${opened.name}`}
      >
        <DataTable
          caption="Referred users"
          columns={REFERRED}
          query={referred}
          keyOf={(row) => row.id}
          narrow={(row) => <NameAndBonuses row={row} />}
          failed="The referrals could not be loaded."
          onOpen={(row) => void navigate(`/manage/admin/users/${row.id}`)}
          openLabel={(row) => `Details of ${row.name}`}
          empty={<EmptyState title="No referrals" />}
        />
        <MoreRows query={referred} label="Load older referrals" />
        {openedId !== null && (
          <p className="pt-4">
            <CsvLink endpoint={exportReferralsOf} params={{ id: openedId }} what="referred users" />
          </p>
        )}
      </SidePanel>
    </>
  )
}

/** One row on a phone, where the list has no header. */
function NameAndBonuses({ row }: { row: Pick<Referrer, 'name' | 'email' | 'earned'> }) {
  return (
    <span className="flex items-center justify-between gap-3">
      <Name row={row} />
      <span className="grid justify-items-end">
        <span className="text-12 text-muted">Bonuses </span>
        <MoneyText minor={toMinor(row.earned)} />
      </span>
    </span>
  )
}

function Name({ row: { name, email } }: { row: { name: string; email: string } }) {
  return (
    <span className="grid min-w-0 max-w-64">
      <span className="truncate font-medium">{name}</span>
      <span className="truncate text-12 text-muted">{email}</span>
    </span>
  )
}
