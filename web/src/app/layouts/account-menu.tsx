import { lazy } from 'react'

import type { StoredUser } from '../../shared/session/stored-user.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { DeferredMenu } from '../../shared/ui/deferred-menu.tsx'

const loadContent = () => import('./account-menu-content.tsx')
const AccountMenuContent = lazy(async () => ({ default: (await loadContent()).AccountMenuContent }))

type AccountMenuProps = { user: StoredUser; onLogout: () => void }

export function AccountMenu({ user, onLogout }: AccountMenuProps) {
  return (
    <DeferredMenu
      button={
        <button type="button" aria-label={`Account of ${user.name}`} className="ml-1 rounded-full">
          <Avatar name={user.name} photo={user.photo} />
        </button>
      }
      prefetch={loadContent}
      renderContent={(opening) => (
        <AccountMenuContent opening={opening} user={user} onLogout={onLogout} />
      )}
    />
  )
}
