import { getAdminHistory, getAdminStats, getMaturities, getMyStats } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

const all = getRootKey('stats')

export const statsQueries = {
  all,
  readOwnStats: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(getMyStats, {}, signal),
      select: ({ stats }) => stats,
    }),
  readAdminStats: () =>
    queryOptions({
      queryKey: [...all, 'admin'],
      queryFn: ({ signal }) => call(getAdminStats, {}, signal),
    }),
  readHistory: (query: { from: string; timeZone: string }) =>
    queryOptions({
      queryKey: [...all, 'history', query],
      queryFn: ({ signal }) => call(getAdminHistory, { query }, signal),
    }),
  readMaturities: () =>
    queryOptions({
      queryKey: [...all, 'maturities'],
      queryFn: ({ signal }) => call(getMaturities, {}, signal),
    }),
}
