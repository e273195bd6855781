import type { Permission } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { useSingleColumn } from '../../shared/ui/narrow-screen.ts'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { UserBadge } from '../../shared/ui/user-badge.tsx'
import { useNavigate, useParams, useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { AdjustmentForm } from '../adjustments/index.ts'
import { UserNotes } from '../notes/index.ts'
import { RolesCard } from '../roles/index.ts'
import { FundForm } from './fund-form.tsx'
import { NameReview } from './name-review.tsx'
import { PayoutForm } from './payout-form.tsx'
import { type User, type UserDetail, userQueries } from './queries.ts'
import { AccountCard } from './user-account.tsx'
import { UserFacts } from './user-facts.tsx'
import { UserActivity, UserInvestments, UserTransactions } from './user-lists.tsx'
import { UserMoney } from './user-money.tsx'
import { UserSessions } from './user-sessions.tsx'

const USERS = { to: '/manage/admin/users', label: 'Manage Users' }

export function UserPage() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const url = useUrlState()
  const query = useQuery(userQueries.one(id))
  const detail = query.data
  const view = search.get('view')
  if (detail === undefined) {
    return (
      <>
        <PageHeader above={USERS} />
        {query.isError ? (
          <FailedState
            message={getErrorMessage(query.error, 'The user could not be loaded.')}
            error={query.error}
            onRetry={query.refetch}
            pending={query.isFetching}
          />
        ) : (
          <Skeleton className="h-96 w-full rounded-card" />
        )}
      </>
    )
  }
  const { user } = detail
  if (view === 'fund' || view === 'adjust' || view === 'payout') {
    const titles = {
      fund: `Fund ${user.name}`,
      adjust: `Adjust a wallet of ${user.name}`,
      payout: `Pay out ${user.name}`,
    }
    const title = titles[view]
    const goBack = () => url.set({ view: null })
    return (
      <>
        <PageHeader
          title={title}
          above={USERS}
          actions={
            <Button onClick={goBack}>
              <ArrowLeft aria-hidden="true" className="size-4" />
              Back to the user
            </Button>
          }
        />
        <Card className="max-w-2xl p-5">
          {view === 'fund' && <FundForm key={user.id} user={user} onDone={goBack} />}
          {view === 'adjust' && <AdjustmentForm key={user.id} user={user} onDone={goBack} />}
          {view === 'payout' && <PayoutForm key={user.id} user={user} onDone={goBack} />}
        </Card>
      </>
    )
  }
  // The key empties the forms when the page shows another person.
  return <Overview key={user.id} detail={detail} />
}

function Overview({ detail }: { detail: UserDetail }) {
  const { user } = detail
  const [search] = useSearchParams()
  const url = useUrlState()
  const hasWallet = user.role === 'user' && user.status === 'active'
  const isDormant =
    user.role === 'user' && (user.status === 'deactivated' || user.status === 'denied')
  const hasPermission = useHasPermission()
  const isSingleColumn = useSingleColumn()
  const lists = (
    <Tabs
      key="lists"
      label="About this user"
      value={search.get('tab') ?? 'movements'}
      onChange={(tab) => url.set({ tab }, { replace: true })}
      tabs={listTabs(detail).filter(
        ({ id, permission }) =>
          hasPermission(permission) && (id !== 'sessions' || mayControl(user, hasPermission)),
      )}
    />
  )
  const account = <AccountCards key="account" detail={detail} />
  return (
    <>
      <PageHeader
        title={user.name}
        above={USERS}
        text={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1.5">
            <Avatar name={user.name} photo={user.photo} />
            <span className="break-all">{user.email}</span>
            <UserBadge status={user.status} />
            {user.role === 'admin' && <span>Administrator</span>}
          </span>
        }
        hasTimes
        actions={
          <>
            <ButtonLink to="/manage/admin/users">All users</ButtonLink>
            {hasWallet && hasPermission('adjustments.propose') && (
              <Button onClick={() => url.set({ view: 'adjust' })}>Adjust</Button>
            )}
            {isDormant && hasPermission('transactions.decide') && (
              <Button look="primary" onClick={() => url.set({ view: 'payout' })}>
                Pay out
              </Button>
            )}
            {hasWallet && hasPermission('wallets.fund') && (
              <Button look="primary" onClick={() => url.set({ view: 'fund' })}>
                Fund User
              </Button>
            )}
          </>
        }
      />
      {user.role === 'user' && <UserMoney detail={detail} />}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        {/* In one column the lists come last, because nothing then moves when they have loaded. */}
        {isSingleColumn ? [account, lists] : [lists, account]}
      </div>
    </>
  )
}

/** Shows who the user is, and what can be done with the account. */
function AccountCards({ detail }: { detail: UserDetail }) {
  const { user } = detail
  const navigate = useNavigate()
  const hasPermission = useHasPermission()
  return (
    <div className="grid gap-6">
      {mayControl(user, hasPermission) && hasPermission('users.status') && (
        <NameReview user={user} />
      )}
      <Card>
        <CardHeader title="Details" />
        <div className="px-5 py-2">
          <UserFacts detail={detail} />
        </div>
      </Card>
      {user.role === 'admin' && <RolesCard user={user} />}
      <AccountCard
        user={user}
        isControlled={mayControl(user, hasPermission)}
        onDeleted={() => void navigate('/manage/admin/users')}
      />
    </div>
  )
}

/** Lists the tabs of the page, each with the permission that it needs. */
function listTabs(detail: UserDetail) {
  const { user } = detail
  return [
    {
      id: 'movements',
      label: 'Transactions',
      permission: 'transactions.read',
      content: <UserTransactions user={user} />,
    },
    {
      id: 'investments',
      label: 'Investments',
      permission: 'investments.read',
      content: <UserInvestments user={user} />,
    },
    {
      id: 'notes',
      label: 'Notes',
      permission: 'users.notes',
      content: <UserNotes detail={detail} />,
    },
    {
      id: 'activity',
      label: 'Activity',
      permission: 'audit.read',
      content: <UserActivity user={user} />,
    },
    {
      id: 'sessions',
      label: 'Sessions',
      permission: 'users.sessions',
      content: <UserSessions user={user} />,
    },
  ] as const
}

/**
 * Tells whether the administrator may control the account. Only owners control the accounts of
 * administrators.
 */
function mayControl(user: User, hasPermission: (permission: Permission) => boolean): boolean {
  return user.role === 'user' || hasPermission('admins.control')
}
