import { useQuery } from '@tanstack/react-query'
import { NotificationRow } from '../../features/notifications/notification-row.tsx'
import { notificationQueries, useMarkRead } from '../../features/notifications/queries.ts'
import { VisitMessageRow } from '../../features/notifications/visit-message-row.tsx'
import type { Role } from '../../shared/session/stored-user.ts'
import type { MenuOpening } from '../../shared/ui/deferred-menu.tsx'
import { DeferredMenuContent, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/menu.tsx'
import { useVisitMessages } from '../../shared/ui/visit-messages.ts'
import { useNavigate } from '../../shared/url/navigation.tsx'

/** The menu shows the newest messages of this visit. The page shows all of them. */
const VISITED_SHOWN_MAX = 3

type ContentProps = { opening: MenuOpening; role: Role }

export function NotificationMenuContent({ opening, role }: ContentProps) {
  const navigate = useNavigate()
  const { data, isError } = useQuery(notificationQueries.listLatestNotifications())
  const markRead = useMarkRead()
  const unread = data?.meta.unread ?? 0
  const visited = useVisitMessages().slice(0, VISITED_SHOWN_MAX)
  const page = `/manage/${role === 'admin' ? 'admin' : 'investor'}/notifications`
  return (
    <DeferredMenuContent opening={opening} isWide>
      <MenuLabel>Notifications</MenuLabel>
      {isError && data === undefined && (
        <p className="px-2.5 py-2 text-14 text-declined">Notifications could not be loaded.</p>
      )}
      {data?.notifications.length === 0 && (
        <p className="px-2.5 py-2 text-14 text-muted">No notifications yet.</p>
      )}
      {data?.notifications.map((notification) => (
        <MenuItem
          key={notification.id}
          onSelect={() => {
            if (notification.readAt === null) markRead.mutate(notification.id)
            void navigate(notification.link ?? page)
          }}
        >
          <span className="block w-full sm:w-80 py-1.5">
            <NotificationRow notification={notification} />
          </span>
        </MenuItem>
      ))}
      {visited.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>This visit</MenuLabel>
          {visited.map((message) => (
            <MenuItem key={message.id} onSelect={() => void navigate(page)}>
              <span className="block w-full sm:w-80 py-1.5">
                <VisitMessageRow message={message} />
              </span>
            </MenuItem>
          ))}
        </>
      )}
      <MenuSeparator />
      {unread > 0 && <MenuItem onSelect={() => markRead.mutate(null)}>Mark all as read</MenuItem>}
      <MenuItem onSelect={() => void navigate(page)}>Show all notifications</MenuItem>
    </DeferredMenuContent>
  )
}
