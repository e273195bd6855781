import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Reads the queries with this key again; without a key, all queries. `invalidateQueries` does not
 * repeat a first read that is in flight, although the server may have answered it before the change.
 * Such a read is repeated when it ends.
 */
export function refreshQueries(queryClient: QueryClient, queryKey?: QueryKey): void {
  const chosen = queryKey === undefined ? {} : { queryKey }
  for (const query of queryClient.getQueryCache().findAll({ ...chosen, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined && query.isActive()) continue
    const repeat = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    query.promise?.then(repeat, () => undefined)
  }
  void queryClient.invalidateQueries(chosen)
}
