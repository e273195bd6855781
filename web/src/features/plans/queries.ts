import type { Plan } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

export type { Plan }

const all = getRootKey('plans')

export const planQueries = {
  all,
  listPlans: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: ({ signal }) => readPublic('/plans', signal),
      select: ({ plans }) => plans,
    }),
}
