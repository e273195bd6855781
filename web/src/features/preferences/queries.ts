import {
  getPreferences,
  type Preferences,
  putPreferences,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../api/client.ts'

export type { Preferences }

const all = ['preferences'] as const

export const preferenceQueries = {
  all,
  mine: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(getPreferences, {}, signal),
      select: ({ preferences }) => preferences,
    }),
}

export function useSavePreferences() {
  const queryClient = useQueryClient()
  const { queryKey } = preferenceQueries.mine()
  return useMutation({
    mutationFn: (body: Partial<Preferences>) => call(putPreferences, { body }),
    onSuccess: (saved: ResponseOf<typeof putPreferences>) =>
      queryClient.setQueryData(queryKey, saved),
  })
}
