import { useQuery } from '@tanstack/react-query'
import { NotificationRow } from '../../features/notifications/notification-row.tsx'
import { notificationQueries, useMarkRead } from '../../features/notifications/queries.ts'
import type { Role } from '../../shared/session/stored-user.ts'
import type { MenuOpening } from '../../shared/ui/deferred-menu.tsx'
import { DeferredMenuContent, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/menu.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'

type ContentProps = { opening: MenuOpening; role: Role }

export function NotificationMenuContent({ opening, role }: ContentProps) {
  const navigate = useNavigate()
  const { data, isError } = useQuery(notificationQueries.listLatestNotifications())
  const markRead = useMarkRead()
  const unread = data?.meta.unread ?? 0
  const area = role === 'admin' ? 'admin' : 'investor'
  return (
    <DeferredMenuContent opening={opening}>
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
            void navigate(notification.link ?? `/manage/${area}/notifications`)
          }}
        >
          <span className="block w-[min(20rem,78vw)] py-1.5">
            <NotificationRow notification={notification} />
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      {unread > 0 && <MenuItem onSelect={() => markRead.mutate(null)}>Mark all as read</MenuItem>}
      <MenuItem onSelect={() => void navigate(`/manage/${area}/notifications`)}>
        Show all notifications
      </MenuItem>
    </DeferredMenuContent>
  )
}
