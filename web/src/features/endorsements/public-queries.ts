import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

const STALE_MS = 60_000

export const publicEndorsementQueries = {
  listEndorsements: () =>
    queryOptions({
      queryKey: [...getRootKey('endorsements'), 'public'],
      queryFn: ({ signal }) => readPublic('/public/endorsements', signal),
      select: ({ endorsements }) => endorsements,
      staleTime: STALE_MS,
    }),
}
