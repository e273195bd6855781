import { queryOptions } from '@tanstack/react-query'

import { readPublic } from '../../shared/api/read-public.ts'

export const coverageQueries = {
  now: () =>
    queryOptions({
      queryKey: ['coverage'],
      queryFn: ({ signal }) => readPublic('/public/coverage', signal),
      select: ({ coverage }) => coverage,
    }),
}
