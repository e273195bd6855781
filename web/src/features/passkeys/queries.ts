import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  listMyPasskeys,
  loginPasskey,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { createCredential, signChallenge } from '../../shared/webauthn/ceremony.ts'

export type { Passkey }

const all = getRootKey('passkeys')

export const passkeyQueries = {
  listOwnPasskeys: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(listMyPasskeys, {}, signal),
      select: ({ passkeys }) => passkeys,
    }),
}

/**
 * Returns a function that reloads the data that a changed passkey affects: the factors, the
 * sessions and the account.
 */
export function useReadPasskeysAgain() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [all, getRootKey('mfa'), getRootKey('session'), getRootKey('sessions')].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
}

/** Adds a passkey. The gateway sends a challenge and the device creates the key. */
export function useAddPasskey() {
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string | undefined }) => {
      const body = password === undefined ? {} : { password }
      const { options } = await call(beginPasskey, { body })
      const credential = await createCredential(options)
      return await call(addPasskey, { body: { name, credential } })
    },
  })
}

export function useRenamePasskey() {
  const onSuccess = useReadPasskeysAgain()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(renamePasskey, { params: { id }, body: { name } }),
    onSuccess,
  })
}

export function useRemovePasskey() {
  const onSuccess = useReadPasskeysAgain()
  return useMutation({
    mutationFn: (id: string) => call(removePasskey, { params: { id } }),
    onSuccess,
  })
}

/** Logs in with a passkey. The passkey identifies the user, so no email is needed. */
export function usePasskeyLogin() {
  return useMutation({
    mutationFn: async (remember: boolean) => {
      const { options } = await call(beginPasskeyLogin)
      const credential = await signChallenge(options)
      return await call(loginPasskey, { body: { credential, remember } })
    },
  })
}
