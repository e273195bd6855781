import type { QueryClient } from '@tanstack/react-query'

import { listStaleKeys } from './query-topics.ts'

/** Reads again all queries that show amounts, because money has moved. */
export async function invalidateMoney(queryClient: QueryClient): Promise<void> {
  const stale = listStaleKeys(['balance', 'transactions', 'investments'])
  await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
