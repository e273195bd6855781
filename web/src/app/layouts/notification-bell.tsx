import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { NotificationRow } from '../../features/notifications/notification-row.tsx'
import { notificationQueries, useMarkRead } from '../../features/notifications/queries.ts'
import type { Role } from '../../shared/session/stored-user.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/menu.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'

const COUNT_MAX = 99

export function NotificationBell({ role }: { role: Role }) {
  const navigate = useNavigate()
  const { data, isError } = useQuery(notificationQueries.latest())
  const markRead = useMarkRead()
  const unread = data?.meta.unread ?? 0
  const area = role === 'admin' ? 'admin' : 'investor'
  return (
    <Menu
      trigger={
        <IconButton
          label={unread === 0 ? 'Notifications' : `Notifications, ${unread} not read`}
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
    >
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
    </Menu>
  )
}
