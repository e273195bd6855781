import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

const DAY_MS = 86_400_000

export const verifyQueries = {
  /** The keys rarely change, and verification works offline with cached keys. */
  keys: () =>
    queryOptions({
      queryKey: getRootKey('logKey'),
      queryFn: ({ signal }) => readPublic('/public/log-key', signal),
      select: ({ verifierKeys }) => verifierKeys,
      staleTime: DAY_MS,
      gcTime: DAY_MS,
    }),
}
