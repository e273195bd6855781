import {
  endOtherSessions,
  endSession,
  listMyActivity,
  listSessions,
  type Session,
} from '@cairn/gateway-contracts'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Session }

const all = getRootKey('sessions')

export const sessionListQueries = {
  all,
  listSessions: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: ({ signal }) => call(listSessions, {}, signal),
      select: ({ sessions }) => sessions,
    }),
  listOwnActivity: () =>
    infiniteQueryOptions({
      queryKey: [...all, 'activity'],
      queryFn: ({ signal, pageParam }) =>
        call(listMyActivity, { query: { before: pageParam ?? undefined } }, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
      select: ({ pages }) => pages.flatMap(({ activity }) => activity),
    }),
}

export function useEndSession() {
  const queryClient = useQueryClient()
  return useMutation({
    /**
     * Ends the session with this id. If the id is null, ends all sessions except the current
     * session.
     */
    mutationFn: (id: string | null) =>
      id === null ? call(endOtherSessions) : call(endSession, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}
