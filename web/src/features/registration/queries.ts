import {
  listCountries,
  resendCode,
  type SignUpForm,
  signUp,
  verifyEmail,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export const registrationQueries = {
  listCountries: () =>
    queryOptions({
      queryKey: getRootKey('countries'),
      queryFn: ({ signal }) => call(listCountries, {}, signal),
      select: ({ countries }) => countries,
      staleTime: Number.POSITIVE_INFINITY,
    }),
}

export function useSignUp() {
  return useMutation({ mutationFn: (body: SignUpForm) => call(signUp, { body }) })
}

export function useVerifyEmail() {
  return useMutation({ mutationFn: (code: string) => call(verifyEmail, { body: { code } }) })
}

export function useResendCode() {
  return useMutation({ mutationFn: () => call(resendCode) })
}
