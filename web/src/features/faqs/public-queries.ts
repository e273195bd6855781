import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

const STALE_MS = 60_000

export const publicFaqQueries = {
  listFaqs: () =>
    queryOptions({
      queryKey: [...getRootKey('faqs'), 'public'],
      queryFn: ({ signal }) => readPublic('/public/faqs', signal),
      select: ({ faqs }) => faqs,
      staleTime: STALE_MS,
    }),
}
