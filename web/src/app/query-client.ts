import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { getErrorCode, needsLogin } from '../shared/api/failure.ts'
import { getRootKey } from '../shared/api/query-keys.ts'
import { setSessionEnded } from '../shared/session/ended-session.ts'
import { clearStoredUser } from '../shared/session/stored-user.ts'

const STALE_MS = 15_000
const READ_RETRIES_MAX = 2
const RETRY_DELAY_MS = 1_000
const ME = [...getRootKey('session'), 'me'] as const

function handleSessionEnd(error: unknown): void {
  // The layouts show the maintenance page when the reloaded settings report the maintenance.
  if (getErrorCode(error) === 'MAINTENANCE') {
    void queryClient.invalidateQueries({ queryKey: [...getRootKey('settings'), 'public'] })
  }
  if (!needsLogin(error)) return
  // If the data of the user has loaded, the page stays open and keeps typed input. Otherwise the
  // login opens.
  if (queryClient.getQueryData(ME) === undefined) clearStoredUser()
  else setSessionEnded(true)
}

/**
 * Sends a failed read again after all running writes, because a write may be replacing the session
 * cookie.
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

/**
 * Repeats a failed read if that can help. A write is sent only once.
 *
 * A read that needs a login is sent once more, because a write may have replaced the session cookie
 * after the read was sent.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleReadError }),
  mutationCache: new MutationCache({ onError: handleSessionEnd }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      retry: (failures, error) =>
        needsLogin(error) ? failures === 0 : failures < READ_RETRIES_MAX && isWorthRetrying(error),
      retryDelay: (failures, error) => (needsLogin(error) ? 0 : RETRY_DELAY_MS * 2 ** failures),
    },
    mutations: { retry: false },
  },
})

function isWorthRetrying(error: unknown): boolean {
  if (getErrorCode(error) === 'MAINTENANCE') return false
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 0
  return typeof status !== 'number' || status === 0 || status >= 500
}
