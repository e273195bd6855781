import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { isUnauthenticated } from '../api/failure.ts'
import { clearStoredUser } from '../session/stored-user.ts'

const STALE_MS = 15_000
const READ_RETRIES_MAX = 2

function endSessionOn401(error: unknown): void {
  if (!isUnauthenticated(error)) return
  clearStoredUser()
}

/** Reads are tried again where that can help; what changes something is sent once. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionOn401 }),
  mutationCache: new MutationCache({ onError: endSessionOn401 }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      retry: (failures, error) => failures < READ_RETRIES_MAX && isWorthRetrying(error),
    },
    mutations: { retry: false },
  },
})

function isWorthRetrying(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 0
  return typeof status !== 'number' || status === 0 || status >= 500
}
