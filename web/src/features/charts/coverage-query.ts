import { getCoverage } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { statsQueries } from './stats-queries.ts'

/** Only administrators read it on a dashboard, so investors do not load its contract. */
export const readCoverage = () =>
  queryOptions({
    queryKey: [...statsQueries.all, 'coverage'],
    queryFn: ({ signal }) => call(getCoverage, {}, signal),
    select: ({ coverage }) => coverage,
  })
