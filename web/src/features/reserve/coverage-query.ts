import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

export const coverageQueries = {
  now: () =>
    queryOptions({
      queryKey: getRootKey('coverage'),
      queryFn: ({ signal }) => readPublic('/public/coverage', signal),
      select: ({ coverage }) => coverage,
    }),
}
