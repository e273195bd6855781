import type { Claim } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

export type { Claim }

const STALE_MS = 60_000

export const publicClaimQueries = {
  listClaims: () =>
    queryOptions({
      queryKey: [...getRootKey('claims'), 'public'],
      queryFn: ({ signal }) => readPublic('/public/claims', signal),
      select: ({ claims }) => claims,
      staleTime: STALE_MS,
    }),
}
