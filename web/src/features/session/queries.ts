import { getMe, type LoginForm, login, logout } from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../api/client.ts'
import { forgetStoredUser, storeUser } from '../../session/stored-user.ts'

const all = ['session'] as const

export const sessionQueries = {
  all,
  me: () =>
    queryOptions({
      queryKey: [...all, 'me'],
      queryFn: ({ signal }) => call(getMe, {}, signal),
      select: ({ user }) => user,
    }),
}

export function useLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: LoginForm) => call(login, { body }),
    onSuccess: ({ user }) => {
      // Nothing that an earlier session saw may be shown to this one.
      queryClient.clear()
      if (user !== undefined) storeUser(user)
    },
  })
}

export function useLogout() {
  return useMutation({
    mutationFn: () => call(logout),
    onSuccess: () => {
      forgetStoredUser()
      // A full load leaves nothing of the session in memory.
      window.location.assign('/users/login')
    },
  })
}
