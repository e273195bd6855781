import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { getErrorCode, needsLogin } from '../shared/api/failure.ts'
import { getRootKey } from '../shared/api/query-keys.ts'
import { hasSessionEnded, setSessionEnded } from '../shared/session/ended-session.ts'
import { clearStoredUser } from '../shared/session/stored-user.ts'

const STALE_MS = 15_000
const READ_RETRIES_MAX = 2
const RETRY_DELAY_MS = 1_000
const ME = [...getRootKey('session'), 'me'] as const

type Failed = 'read' | 'write'

function handleSessionEnd(error: unknown, failed: Failed): void {
  // Reloads the settings. If they report maintenance, the layouts show the maintenance page.
  if (getErrorCode(error) === 'MAINTENANCE') {
    void queryClient.invalidateQueries({ queryKey: [...getRootKey('settings'), 'public'] })
  }
  if (!needsLogin(error) || hasSessionEnded()) return
  // If the user has sent a form, or the data of the user is loaded, the page stays open and keeps
  // typed input while the user logs in again. Otherwise the login page opens.
  if (failed === 'write' || queryClient.getQueryData(ME) !== undefined) setSessionEnded(true)
  else clearStoredUser()
}

/**
 * Repeats a failed read after all running writes have ended, because a write may be replacing the
 * session cookie.
 */
function handleReadError(error: unknown, { queryKey }: { queryKey: QueryKey }): void {
  if (!needsLogin(error) || queryClient.isMutating() === 0) {
    handleSessionEnd(error, 'read')
    return
  }
  const stop = queryClient.getMutationCache().subscribe(() => {
    if (queryClient.isMutating() > 0) return
    stop()
    void queryClient.invalidateQueries({ queryKey })
  })
}

/**
 * Repeats a failed read if a repetition can help. Never repeats a write. Repeats a read that
 * requires a login once, because a write may have replaced the session cookie after the read was
 * sent.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleReadError }),
  mutationCache: new MutationCache({ onError: (error) => handleSessionEnd(error, 'write') }),
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
