import {
  getPreferences,
  type Preferences,
  putPreferences,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { setDatePreferences } from '../../shared/dates/date-preferences.ts'

export type { Preferences }

const all = getRootKey('preferences')

export const preferenceQueries = {
  all,
  readOwnPreferences: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(getPreferences, {}, signal),
      select: ({ preferences }) => preferences,
    }),
}

/** Applies the date preferences of the account after the preferences have loaded. */
export function useApplyDatePreferences(): void {
  const { data } = useQuery(preferenceQueries.readOwnPreferences())
  useEffect(() => {
    if (data !== undefined) setDatePreferences(data)
  }, [data])
}

export function useSavePreferences() {
  const queryClient = useQueryClient()
  const { queryKey } = preferenceQueries.readOwnPreferences()
  return useMutation({
    mutationFn: (body: Partial<Preferences>) => call(putPreferences, { body }),
    onSuccess: (saved: ResponseOf<typeof putPreferences>) =>
      queryClient.setQueryData(queryKey, saved),
  })
}
