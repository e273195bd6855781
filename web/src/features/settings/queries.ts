import { getPublicSettings, type PublicSettings } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'

import { call } from '../../api/client.ts'

export type { PublicSettings }

const STALE_MS = 300_000

export const settingsQueries = {
  public: () =>
    queryOptions({
      queryKey: ['settings', 'public'],
      queryFn: ({ signal }) => call(getPublicSettings, {}, signal),
      select: ({ settings }) => settings,
      staleTime: STALE_MS,
    }),
}
