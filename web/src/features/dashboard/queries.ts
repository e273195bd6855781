import {
  getAdminHistory,
  getAdminStats,
  getCoverage,
  getMaturities,
  getMyStats,
} from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'

import { call } from '../../api/client.ts'
import { firstDayOf, type RangeId } from './flow-series.ts'

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
  history: (range: RangeId) =>
    queryOptions({
      queryKey: [...all, 'history', range],
      queryFn: ({ signal }) =>
        call(getAdminHistory, { query: { from: firstDayOf(range, new Date()) } }, signal),
    }),
  maturities: () =>
    queryOptions({
      queryKey: [...all, 'maturities'],
      queryFn: ({ signal }) => call(getMaturities, {}, signal),
    }),
  coverage: () =>
    queryOptions({
      queryKey: [...all, 'coverage'],
      queryFn: ({ signal }) => call(getCoverage, {}, signal),
      select: ({ coverage }) => coverage,
    }),
}
