import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { lazy } from 'react'

import { notificationQueries } from '../../features/notifications/queries.ts'
import type { Role } from '../../shared/session/stored-user.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { DeferredMenu } from '../../shared/ui/deferred-menu.tsx'

const loadContent = () => import('./notification-menu-content.tsx')
const NotificationMenuContent = lazy(async () => ({
  default: (await loadContent()).NotificationMenuContent,
}))

const COUNT_MAX = 99

export function NotificationBell({ role }: { role: Role }) {
  const unread = useQuery(notificationQueries.listLatestNotifications()).data?.meta.unread ?? 0
  return (
    <DeferredMenu
      button={
        <IconButton
          label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
          className="relative"
        >
          <Bell aria-hidden="true" className="size-5" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="tabular absolute top-1 right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 font-semibold text-[0.625rem] text-on-accent"
            >
              {Math.min(unread, COUNT_MAX)}
            </span>
          )}
        </IconButton>
      }
      prefetch={loadContent}
      renderContent={(opening) => <NotificationMenuContent opening={opening} role={role} />}
    />
  )
}
