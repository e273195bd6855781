import { getMe, type LoginForm, login, loginMfa } from '@cairn/gateway-contracts'
import { useMutation } from '@tanstack/react-query'

import { call } from '../../shared/api/client.ts'

export function useLogin() {
  return useMutation({ mutationFn: (body: LoginForm) => call(login, { body }) })
}

export function useProveFactor() {
  return useMutation({ mutationFn: (code: string) => call(loginMfa, { body: { code } }) })
}

/** Reads the current user from the server after the set-up of a second factor. */
export function useReadMe() {
  return useMutation({ mutationFn: () => call(getMe) })
}
