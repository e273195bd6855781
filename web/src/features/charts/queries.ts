import { getMyBalanceHistory, getMyForecast } from '@cairn/gateway-contracts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

const all = [...getRootKey('stats'), 'charts'] as const

/** The keys begin with `stats`, so that each movement of money makes these queries stale. */
export const chartQueries = {
  readBalanceHistory: (query: { from: string; timeZone: string }) =>
    queryOptions({
      queryKey: [...all, 'history', query],
      queryFn: ({ signal }) => call(getMyBalanceHistory, { query }, signal),
      placeholderData: keepPreviousData,
    }),
  readForecast: (timeZone: string) =>
    queryOptions({
      queryKey: [...all, 'forecast', timeZone],
      queryFn: ({ signal }) => call(getMyForecast, { query: { timeZone } }, signal),
    }),
}
