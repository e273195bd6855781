import { toMinor } from '../../shared/money/money.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { UserBadge } from '../../shared/ui/user-badge.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { PendingActions, type PendingReview } from './pending-review.tsx'
import type { ListedUser as User } from './queries.ts'
import { AvailableNote } from './user-available.tsx'

export function UserGrid({
  users,
  onChoose,
}: {
  users: readonly User[]
  onChoose: (review: PendingReview) => void
}) {
  return (
    <ul className="grid gap-4 p-4 sm:grid-cols-2 xl:grid-cols-3">
      {users.map((user) => (
        <li key={user.id} className="grid content-start rounded-card border border-line">
          <Link
            to={`/manage/admin/users/${user.id}`}
            className="grid gap-3 rounded-card p-4 text-14 hover:bg-sunken"
          >
            <span className="flex min-w-0 items-center gap-3">
              <Avatar name={user.name} photo={user.photo} />
              <span className="grid min-w-0">
                <span className="truncate font-medium">{user.name}</span>
                <span className="truncate text-12 text-muted">{user.email}</span>
              </span>
            </span>
            <span className="flex items-center justify-between gap-3">
              {user.netWorth === null ? (
                <span className="text-muted">Admin</span>
              ) : (
                <MoneyText minor={toMinor(user.netWorth)} className="font-medium" />
              )}
              <UserBadge status={user.status} />
            </span>
            <AvailableNote user={user} />
          </Link>
          <div className="px-4 pb-4 empty:hidden">
            <PendingActions user={user} onChoose={onChoose} />
          </div>
        </li>
      ))}
    </ul>
  )
}
