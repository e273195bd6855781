import { getMyBalanceHistory, getMyForecast } from '@cairn/gateway-contracts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { call } from '../../api/client.ts'

const all = ['stats', 'charts'] as const

/** Below `stats`, so that whatever moves money makes them old. */
export const chartQueries = {
  history: (from: string | undefined) =>
    queryOptions({
      queryKey: [...all, 'history', from ?? 'all'],
      queryFn: ({ signal }) => call(getMyBalanceHistory, { query: { from } }, signal),
      placeholderData: keepPreviousData,
    }),
  forecast: () =>
    queryOptions({
      queryKey: [...all, 'forecast'],
      queryFn: ({ signal }) => call(getMyForecast, {}, signal),
    }),
}
