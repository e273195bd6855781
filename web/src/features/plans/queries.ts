import { listPlans, type Plan } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'

import { call } from '../../api/client.ts'

export type { Plan }

const all = ['plans'] as const

export const planQueries = {
  all,
  list: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: ({ signal }) => call(listPlans, {}, signal),
      select: ({ plans }) => plans,
    }),
}
