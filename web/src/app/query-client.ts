import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { codeOf, needsLogin } from '../shared/api/failure.ts'
import { getRootKey } from '../shared/api/query-keys.ts'
import { setSessionEnded } from '../shared/session/ended-session.ts'
import { clearStoredUser } from '../shared/session/stored-user.ts'

const STALE_MS = 15_000
const READ_RETRIES_MAX = 2
const ME = [...getRootKey('session'), 'me'] as const

function handleSessionEnd(error: unknown): void {
  // The reloaded settings report the maintenance, and the layouts show it.
  if (codeOf(error) === 'MAINTENANCE') {
    void queryClient.invalidateQueries({ queryKey: [...getRootKey('settings'), 'public'] })
  }
  if (!needsLogin(error)) return
  // An open page stays, so that typed input is kept. A page that has not loaded yet redirects to the login.
  if (queryClient.getQueryData(ME) === undefined) clearStoredUser()
  else setSessionEnded(true)
}

/**
 * A read fails while a write replaces the session, until the answer brings the new cookie. The read
 * is then sent again after all running writes.
 */
function handleReadError(error: unknown, { queryKey }: { queryKey: QueryKey }): void {
  if (!needsLogin(error) || queryClient.isMutating() === 0) {
    handleSessionEnd(error)
    return
  }
  const stop = queryClient.getMutationCache().subscribe(() => {
    if (queryClient.isMutating() > 0) return
    stop()
    void queryClient.invalidateQueries({ queryKey })
  })
}

/** Reads are retried where a retry can help; writes are sent once. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleReadError }),
  mutationCache: new MutationCache({ onError: handleSessionEnd }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      retry: (failures, error) => failures < READ_RETRIES_MAX && isWorthRetrying(error),
    },
    mutations: { retry: false },
  },
})

function isWorthRetrying(error: unknown): boolean {
  if (codeOf(error) === 'MAINTENANCE') return false
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 0
  return typeof status !== 'number' || status === 0 || status >= 500
}
