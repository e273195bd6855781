import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

const DAY_MS = 86_400_000

export const verifyQueries = {
  /**
   * The public keys of the log. They are cached for a day, because they rarely change and
   * verification then works offline.
   */
  keys: () =>
    queryOptions({
      queryKey: getRootKey('logKey'),
      queryFn: ({ signal }) => readPublic('/public/log-key', signal),
      select: ({ verifierKeys }) => verifierKeys,
      staleTime: DAY_MS,
      gcTime: DAY_MS,
    }),
}
