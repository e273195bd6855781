import { useQuery } from '@tanstack/react-query'
import { statsQueries } from '../charts/index.ts'
import { investmentQueries } from './queries.ts'

/**
 * Reads the figures of the signed-in investor. The request before it credits the due profit, so
 * that the figures include this profit.
 */
export function useOwnStats() {
  const refreshed = useQuery(investmentQueries.refreshOwnInvestments())
  return useQuery({ ...statsQueries.readOwnStats(), enabled: !refreshed.isPending })
}
