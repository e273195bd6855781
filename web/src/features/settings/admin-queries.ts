import {
  type AdminSettings,
  getAdminSettings,
  listCountries,
  type RequestOf,
  saveAdminSettings,
  testMailTemplate,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { AdminSettings }
export type SettingsBody = RequestOf<typeof saveAdminSettings>['body']

export const adminSettingsQueries = {
  /**
   * The settings are read again only after a save, so that values do not change while the form is
   * edited.
   */
  readSettings: () =>
    queryOptions({
      queryKey: ['admin-settings'],
      queryFn: ({ signal }) => call(getAdminSettings, {}, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  listCountries: () =>
    queryOptions({
      queryKey: ['countries'],
      queryFn: ({ signal }) => call(listCountries, {}, signal),
      select: ({ countries }) => countries,
      staleTime: Number.POSITIVE_INFINITY,
    }),
}

/** Sends a test mail: the mail that tells administrators about a new user, with sample values. */
export function useTestMail() {
  return useMutation({
    mutationFn: () => call(testMailTemplate, { params: { kind: 'admin-new-user' } }),
  })
}

export function useSaveSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsBody) => call(saveAdminSettings, { body }),
    onSuccess: async (answer) => {
      queryClient.setQueryData(adminSettingsQueries.readSettings().queryKey, answer)
      await queryClient.invalidateQueries({ queryKey: ['settings', 'public'] })
      await queryClient.invalidateQueries({ queryKey: getRootKey('audit') })
    },
  })
}
