import { UserBadge } from '../../shared/ui/user-badge.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { PendingActions, type PendingReview } from './pending-review.tsx'
import { PersonCell } from './person-cell.tsx'
import type { ListedUser as User } from './queries.ts'
import { AvailableNote, NetWorthNote } from './user-amounts.tsx'

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
            <PersonCell user={user} />
            <span className="flex min-h-9 items-center justify-between gap-3">
              <UserBadge status={user.status} />
              <NetWorthNote user={user} />
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
