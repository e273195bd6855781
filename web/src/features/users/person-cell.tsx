import type { ReactNode } from 'react'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import type { ListedUser as User } from './queries.ts'

type PersonCellProps = {
  user: Pick<User, 'name' | 'pendingName' | 'email' | 'photo' | 'role'>
  className?: string
}

/**
 * Shows a user in a list. Administrators, and users whose new name waits for a review, have a mark
 * beside their name.
 */
export function PersonCell({ user, className }: PersonCellProps) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={user.name} photo={user.photo} />
      <span className={joinClasses('grid min-w-0 grid-cols-1', className)}>
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{user.name}</span>
          {user.role === 'admin' && <Mark className="bg-sunken text-muted">Admin</Mark>}
          {user.pendingName !== null && (
            <Mark className="bg-pending-soft text-pending">New name</Mark>
          )}
        </span>
        <span className="truncate text-12 text-muted">{user.email}</span>
      </span>
    </span>
  )
}

/** The mark is not higher than a line of text, so that all rows have one height. */
function Mark({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      className={joinClasses('shrink-0 rounded-full px-2 font-medium text-12 leading-5', className)}
    >
      {children}
    </span>
  )
}
