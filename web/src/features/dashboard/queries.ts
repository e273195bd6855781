import { getAdminStats, getMyStats } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'

import { call } from '../../api/client.ts'

const all = ['stats'] as const

export const statsQueries = {
  all,
  mine: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(getMyStats, {}, signal),
      select: ({ stats }) => stats,
    }),
  admin: () =>
    queryOptions({
      queryKey: [...all, 'admin'],
      queryFn: ({ signal }) => call(getAdminStats, {}, signal),
    }),
}
