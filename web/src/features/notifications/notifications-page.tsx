import { exportMyNotifications } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useStoredUser } from '../../shared/session/stored-user.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useVisitMessages } from '../../shared/ui/visit-messages.ts'
import { useNavigate } from '../../shared/url/navigation.tsx'
import { NotificationRow } from './notification-row.tsx'
import { notificationQueries, useMarkRead } from './queries.ts'
import { VisitMessageRow } from './visit-message-row.tsx'

const PLACES = [0, 1, 2, 3, 4]

/**
 * Lists the notifications of an investor or an administrator. Each notification links to the page
 * that it is about.
 */
export function NotificationsPage() {
  const query = useInfiniteQuery(notificationQueries.listNotificationPages())
  const markRead = useMarkRead()
  const navigate = useNavigate()
  const isAdmin = useStoredUser()?.role === 'admin'
  const rows = query.data?.pages.flatMap(({ notifications }) => notifications)
  const unread = query.data?.pages[0]?.meta.unread ?? 0
  return (
    <>
      <PageHeader
        text={
          query.data === undefined ? (
            query.isError ? undefined : (
              <Skeleton className="h-4 w-40" />
            )
          ) : unread === 0 ? (
            'No unread notifications'
          ) : (
            `${unread} unread`
          )
        }
        actions={
          <Button
            disabled={unread === 0}
            pending={markRead.isPending && markRead.variables === null}
            onClick={() => markRead.mutate(null)}
          >
            <CheckCheck aria-hidden="true" className="size-4" />
            Mark all as read
          </Button>
        }
      />
      <VisitMessages />
      <Card>
        <CardHeader
          title="All notifications"
          action={<CsvLink endpoint={exportMyNotifications} />}
        />
        {query.isError && rows === undefined && (
          <div className="p-5">
            <FailedState
              message="Your notifications could not be loaded."
              error={query.error}
              onRetry={query.refetch}
              pending={query.isFetching}
            />
          </div>
        )}
        {query.isPending && (
          <div className="grid gap-4 p-5">
            {PLACES.map((place) => (
              <Skeleton key={place} className="h-12 w-full" />
            ))}
          </div>
        )}
        {rows?.length === 0 && (
          <EmptyState
            title="No notifications yet"
            text={
              isAdmin
                ? 'Requests that wait for a decision and warnings about the site appear here.'
                : 'Decisions about your requests, credits and changes to your account appear here.'
            }
          />
        )}
        <ul className="divide-y divide-line">
          {rows?.map((notification) => (
            <li key={notification.id}>
              <button
                type="button"
                className="block w-full px-5 py-3.5 hover:bg-sunken"
                onClick={() => {
                  if (notification.readAt === null) markRead.mutate(notification.id)
                  if (notification.link !== null) void navigate(notification.link)
                }}
              >
                <NotificationRow notification={notification} />
              </button>
            </li>
          ))}
        </ul>
        <MoreRows query={query} label="Load older notifications" />
      </Card>
    </>
  )
}

/** Lists the successes of this visit, of which the server makes no notifications. */
function VisitMessages() {
  const messages = useVisitMessages()
  if (messages.length === 0) return null
  return (
    <Card>
      <CardHeader title="This visit" note="Until you reload the page or log out" />
      <ul className="divide-y divide-line">
        {messages.map((message) => (
          <li key={message.id} className="px-5 py-3.5">
            <VisitMessageRow message={message} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
