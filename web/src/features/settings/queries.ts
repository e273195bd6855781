import type { PublicSettings } from '@cairn/gateway-contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { readPublic } from '../../shared/api/read-public.ts'
import { setSite } from '../../shared/site/site.ts'

export type { PublicSettings }

const STALE_MS = 300_000
const MAINTENANCE_POLL_MS = 20_000

export const settingsQueries = {
  readPublic: () =>
    queryOptions({
      queryKey: ['settings', 'public'],
      queryFn: async ({ signal }) => {
        const answer = await readPublic('/public/settings', signal)
        setSite({ name: answer.settings.siteName, currency: answer.settings.currency })
        return answer
      },
      select: ({ settings }) => settings,
      staleTime: STALE_MS,
      refetchInterval: ({ state }) =>
        state.data?.settings.isMaintenance === true ? MAINTENANCE_POLL_MS : false,
    }),
}

/** Tells whether the site shows demo data; false until the settings have loaded. */
export function useIsDemo(): boolean {
  return useQuery(settingsQueries.readPublic()).data?.isDemo === true
}
