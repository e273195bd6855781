import { getMe, logout, type ResponseOf } from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { announceLogout } from '../../shared/live/logout-channel.ts'
import { runWithKeptKeys } from '../../shared/session/key-store.ts'
import { forgetStoredUser } from '../../shared/session/stored-user.ts'

const all = getRootKey('session')

type Me = ResponseOf<typeof getMe>
export type SignedIn = Me['user'] & Pick<Me, 'permissions'>

export const sessionQueries = {
  all,
  me: () =>
    queryOptions({
      queryKey: [...all, 'me'],
      queryFn: ({ signal }) => call(getMe, {}, signal),
      select: toSignedIn,
    }),
}

export function toSignedIn({ user, permissions }: Me): SignedIn {
  return { ...user, permissions }
}

export function useLogout() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => runWithKeptKeys(() => call(logout)),
    onSuccess: () => {
      const me = queryClient.getQueryData(sessionQueries.me().queryKey)?.user
      if (me !== undefined) announceLogout(me.id)
      forgetStoredUser()
      // This call loads the whole page, so that no data of the session stays in memory.
      window.location.assign('/users/login')
    },
  })
}
