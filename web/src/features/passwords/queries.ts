import {
  changePassword,
  checkLink,
  forgotPassword,
  type RequestOf,
  resetPassword,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export const linkQueries = {
  /** Reads the purpose of a link. The read is not retried, because the answer does not change. */
  readLinkPurpose: (token: string) =>
    queryOptions({
      queryKey: [...getRootKey('link'), token],
      queryFn: ({ signal }) => call(checkLink, { body: { token } }, signal),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
}

export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => call(forgotPassword, { body: { email } }),
  })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: RequestOf<typeof resetPassword>['body']) => call(resetPassword, { body }),
  })
}

export function useChangePassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestOf<typeof changePassword>['body']) => call(changePassword, { body }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: getRootKey('session') }),
        queryClient.invalidateQueries({ queryKey: getRootKey('sessions') }),
      ]),
  })
}
