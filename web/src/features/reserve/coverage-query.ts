import { queryOptions } from '@tanstack/react-query'

import { rootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

export const coverageQueries = {
  now: () =>
    queryOptions({
      queryKey: rootKey('coverage'),
      queryFn: ({ signal }) => readPublic('/public/coverage', signal),
      select: ({ coverage }) => coverage,
    }),
}
