import { exportUsers } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { LayoutGrid, List } from 'lucide-react'
import { useState } from 'react'
import { toMinor } from '../../shared/money/money.ts'
import { Allowed, useHasPermission } from '../../shared/session/permissions.tsx'
import { ButtonLink, IconButton } from '../../shared/ui/button.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { type Filter, FilterBar } from '../../shared/ui/filter-bar.tsx'
import { NoMatches } from '../../shared/ui/no-matches.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Pagination } from '../../shared/ui/pagination.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { UserBadge } from '../../shared/ui/user-badge.tsx'
import { isFiltered } from '../../shared/url/filtered.ts'
import { Redirect, useNavigate, useSearchParams } from '../../shared/url/navigation.tsx'
import { ROWS_PER_PAGE, readPagePlace, readSort } from '../../shared/url/page-of.ts'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import { BulkReview, useReviewable } from './bulk-review.tsx'
import { InviteAdmin } from './invite-admin.tsx'
import {
  hasPendingDecision,
  PendingActions,
  type PendingReview,
  PendingReviewDialog,
} from './pending-review.tsx'
import { PersonCell } from './person-cell.tsx'
import { type ListedUser as User, type UserQuery, userQueries } from './queries.ts'
import { Available, AvailableNote, NetWorth, NetWorthNote } from './user-amounts.tsx'
import { UserGrid } from './user-grid.tsx'

const STATUSES = ['pending', 'active', 'deactivated', 'denied'] as const

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    options: [
      ['', 'All statuses'],
      ['pending', 'Pending'],
      ['active', 'Active'],
      ['deactivated', 'Deactivated'],
      ['denied', 'Denied'],
    ],
  },
  {
    name: 'name',
    label: 'Name',
    options: [
      ['', 'All names'],
      ['pending', 'To review'],
    ],
  },
]

const NO_FILTER = { q: null, status: null, name: null, page: null }

const renderPerson = (user: User) => <PersonCell user={user} className="max-w-64 sm:min-w-36" />

type Choose = (review: PendingReview) => void

const COLUMNS: ReadonlyArray<Column<User>> = [
  { id: 'user', header: 'User', renderCell: renderPerson },
  {
    id: 'worth',
    header: 'Net worth',
    align: 'right',
    renderCell: (row) => <NetWorth user={row} />,
  },
  {
    id: 'available',
    header: 'Available',
    sort: 'amount',
    align: 'right',
    renderCell: (row) => <Available user={row} />,
  },
  { id: 'country', header: 'Country', renderCell: (row) => row.countryName },
  {
    id: 'since',
    header: 'Since',
    sort: 'createdAt',
    renderCell: (row) => <DateText at={row.createdAt} format="day" />,
  },
  { id: 'status', header: 'Status', renderCell: (row) => <UserBadge status={row.status} /> },
]

const buildActions = (choose: Choose): Column<User> => ({
  id: 'actions',
  header: 'Actions',
  align: 'right',
  renderCell: (row) => <PendingActions user={row} onChoose={choose} />,
})

/**
 * Lists the users. The dashboard links to the view `referrals`, which redirects to the page of
 * referrals.
 */
export function UsersPage() {
  const [search] = useSearchParams()
  if (search.get('view') === 'referrals') return <Redirect to="/manage/admin/referrals" />
  return <UserList />
}

function UserList() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const navigate = useNavigate()
  const filter = readUserQuery(search)
  const isCounted = [filter.q, filter.status, filter.name].some((each) => each !== undefined)
  const query = useQuery(userQueries.listUsers(filter))
  const rows = query.data?.users
  const meta = query.data?.meta
  const isGrid = search.get('view') === 'grid'
  const [review, setReview] = useState<PendingReview | null>(null)
  const hasActions = useHasActions(rows)
  const table = useTable('users', hasActions ? [...COLUMNS, buildActions(setReview)] : COLUMNS)
  const selection = useReviewable(isGrid ? undefined : rows, filter)
  const open = (row: User) => void navigate(`/manage/admin/users/${row.id}`)
  return (
    <>
      <PageHeader
        actions={
          <>
            <Allowed permission="referrals.read">
              <ButtonLink to="/manage/admin/referrals">View Referrals</ButtonLink>
            </Allowed>
            <Allowed permission="admins.invite">
              <InviteAdmin />
            </Allowed>
          </>
        }
      />
      <Figures totals={meta?.totals} isLoading={query.isPending} />
      <Card>
        <CardHeader
          title="All users"
          action={
            <HeaderActions>
              <IconButton
                label={isGrid ? 'Show as a list' : 'Show as a grid'}
                onClick={() => url.set({ view: isGrid ? null : 'grid' })}
              >
                {isGrid ? (
                  <List aria-hidden="true" className="size-5" />
                ) : (
                  <LayoutGrid aria-hidden="true" className="size-5" />
                )}
              </IconButton>
              <CsvLink endpoint={exportUsers} query={filter} />
            </HeaderActions>
          }
        />
        <FilterBar
          label="Search users"
          searched="name or email"
          filters={FILTERS}
          // The total is shown only with a filter. Without a filter, the total would include
          // administrators and so differ from the numbers above the list.
          total={isCounted ? meta?.total : undefined}
          menu={table.menu}
        />
        {isGrid && rows !== undefined && rows.length > 0 ? (
          <UserGrid users={rows} onChoose={setReview} />
        ) : (
          <DataTable
            caption="Users"
            selection={selection}
            nameOf={(row) => row.name}
            columns={table.columns}
            isCompact={table.isCompact}
            query={{ ...query, data: rows }}
            keyOf={(row) => row.id}
            narrow={(row) => <NarrowUser user={row} />}
            narrowActions={(row) => <PendingActions user={row} onChoose={setReview} isLarge />}
            failed="The users could not be loaded."
            skeletonRows={10}
            onOpen={open}
            openLabel={() => 'Details'}
            empty={
              isFiltered(search, NO_FILTER) ? (
                <NoMatches title="No users found" cleared={NO_FILTER} />
              ) : (
                <EmptyState
                  title="No users yet"
                  text="Investors appear here when they have registered."
                />
              )
            }
          />
        )}
        <BulkReview selection={selection} />
        <Pagination pages={meta?.pages ?? 1} rows={query.isPlaceholderData ? undefined : rows} />
      </Card>
      <PendingReviewDialog review={review} onClose={() => setReview(null)} />
    </>
  )
}

/** Tells whether a row has a decision to offer. Until the rows have loaded, the answer is yes. */
function useHasActions(rows: readonly User[] | undefined): boolean {
  const canDecide = useHasPermission()('users.status')
  return canDecide && (rows === undefined || rows.some(hasPendingDecision))
}

function readUserQuery(search: URLSearchParams): UserQuery {
  const status = STATUSES.find((each) => each === search.get('status'))
  const q = search.get('q')?.trim() ?? ''
  return {
    ...readPagePlace(search),
    ...readSort(search),
    limit: ROWS_PER_PAGE,
    ...(status === undefined ? {} : { status }),
    ...(search.get('name') === 'pending' ? { name: 'pending' as const } : {}),
    ...(q === '' ? {} : { q: q.slice(0, 100) }),
  }
}

type Totals = { users: number; active: number; pending: number; balance: number }

function Figures({ totals, isLoading }: { totals: Totals | undefined; isLoading: boolean }) {
  const count = (value: number | undefined) => (value === undefined ? null : { count: value })
  return (
    <StatGroup label="All users">
      <StatCard
        label="Total Users"
        value={count(totals?.users)}
        isLoading={isLoading}
        note="Investors of every status"
      />
      <StatCard label="Active Users" value={count(totals?.active)} isLoading={isLoading} />
      <StatCard label="Pending Users" value={count(totals?.pending)} isLoading={isLoading} />
      <StatCard
        label="Total Balance"
        value={totals === undefined ? null : { money: toMinor(totals.balance) }}
        isLoading={isLoading}
        note="Available in the Wallet Balances"
      />
    </StatGroup>
  )
}

function NarrowUser({ user }: { user: User }) {
  return (
    <span className="grid grid-cols-1 gap-2">
      <span className="flex items-center justify-between gap-3">
        {renderPerson(user)}
        <NetWorthNote user={user} />
      </span>
      <span className="flex items-center justify-between gap-3">
        <UserBadge status={user.status} />
        <AvailableNote user={user} />
      </span>
    </span>
  )
}
