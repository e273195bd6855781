import { queryOptions } from '@tanstack/react-query'

import { readPublic } from '../../shared/api/read-public.ts'

const DAY_MS = 86_400_000

export const verifyQueries = {
  /** The keys of the log hardly ever change, and a page that has them needs no connection. */
  keys: () =>
    queryOptions({
      queryKey: ['log-key'],
      queryFn: ({ signal }) => readPublic('/public/log-key', signal),
      select: ({ verifierKeys }) => verifierKeys,
      staleTime: DAY_MS,
      gcTime: DAY_MS,
    }),
}
