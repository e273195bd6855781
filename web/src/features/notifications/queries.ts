import {
  listNotifications,
  type Notification,
  readAllNotifications,
  readNotification,
} from '@cairn/gateway-contracts'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Notification }

const all = getRootKey('notifications')
const LATEST = 6
const PER_PAGE = 25

export const notificationQueries = {
  all,
  listLatestNotifications: () =>
    queryOptions({
      queryKey: [...all, 'latest'],
      queryFn: ({ signal }) => call(listNotifications, { query: { limit: LATEST } }, signal),
    }),
  listNotificationPages: () =>
    infiniteQueryOptions({
      queryKey: [...all, 'pages'],
      queryFn: ({ signal, pageParam }) =>
        call(
          listNotifications,
          { query: { limit: PER_PAGE, before: pageParam ?? undefined } },
          signal,
        ),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
}

/** Marks one notification as read. If the id is null, marks all notifications as read. */
export function useMarkRead() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string | null) =>
      id === null ? call(readAllNotifications) : call(readNotification, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}
