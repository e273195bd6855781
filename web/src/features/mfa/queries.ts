import {
  beginPasskeyStepUp,
  disableMfa,
  enableMfa,
  getMfa,
  type RequestOf,
  renewRecoveryCodes,
  setUpMfa,
  stepUp,
  stepUpWithPasskey,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { signChallenge } from '../../shared/webauthn/ceremony.ts'

const all = getRootKey('mfa')

export const mfaQueries = {
  readOwnFactors: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(getMfa, {}, signal),
      select: ({ mfa }) => mfa,
    }),
}

export function useSetUp() {
  return useMutation({
    mutationFn: (password: string | undefined) =>
      call(setUpMfa, { body: password === undefined ? {} : { password } }),
  })
}

/**
 * Returns a function that reloads the data that a change to the second factor affects: the factors,
 * the sessions and the account.
 */
export function useReadAgain() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [all, getRootKey('session'), getRootKey('sessions')].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
}

/**
 * Enables two-factor authentication. The caller reloads the data after the user has saved the
 * recovery codes.
 */
export function useEnableMfa() {
  return useMutation({ mutationFn: (code: string) => call(enableMfa, { body: { code } }) })
}

export function useDisableMfa() {
  const onSuccess = useReadAgain()
  return useMutation({
    mutationFn: (body: RequestOf<typeof disableMfa>['body']) => call(disableMfa, { body }),
    onSuccess,
  })
}

/** Verifies the user with a passkey, as a step-up of this session. */
export function usePasskeyStepUp() {
  return useMutation({
    mutationFn: async () => {
      const { options } = await call(beginPasskeyStepUp)
      const credential = await signChallenge(options)
      await call(stepUpWithPasskey, { body: { credential } })
    },
  })
}

/** Verifies the user with a code of the second factor, as a step-up of this session. */
export function useStepUp() {
  return useMutation({ mutationFn: (code: string) => call(stepUp, { body: { code } }) })
}

export function useRenewCodes() {
  return useMutation({
    mutationFn: (body: RequestOf<typeof renewRecoveryCodes>['body']) =>
      call(renewRecoveryCodes, { body }),
  })
}
