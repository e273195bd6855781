import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
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

/** The number of writes that have ended since the page was opened. */
let endedWrites = 0
/** The value of `endedWrites` when a read was last refused. */
const endedWritesAtRefusal = new WeakMap<object, number>()

/**
 * Repeats a refused read once after each write, because the write may have replaced the session
 * cookie while the read was on its way. Waits for the writes that are running.
 */
function handleReadError(error: unknown, query: Query<unknown, unknown>): void {
  if (!needsLogin(error)) {
    handleSessionEnd(error, 'read')
    return
  }
  const hasWriteEnded = (endedWritesAtRefusal.get(query) ?? 0) < endedWrites
  endedWritesAtRefusal.set(query, endedWrites)
  const repeat = () => void queryClient.invalidateQueries({ queryKey: query.queryKey })
  if (queryClient.isMutating() > 0) {
    const stop = queryClient.getMutationCache().subscribe(() => {
      if (queryClient.isMutating() > 0) return
      stop()
      repeat()
    })
  } else if (hasWriteEnded && query.isActive()) repeat()
  else handleSessionEnd(error, 'read')
}

/**
 * Repeats a failed read if a repetition can help. Never repeats a write. Repeats a read that
 * requires a login once, because a write may have replaced the session cookie after the read was
 * sent.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleReadError }),
  mutationCache: new MutationCache({
    onError: (error) => handleSessionEnd(error, 'write'),
    onSettled: () => {
      endedWrites += 1
    },
  }),
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

/** The last error of each query that is shown. */
const lastErrors = new WeakMap<object, unknown>()

/**
 * Keeps the error of a read without data while the read is repeated. TanStack Query removes it, so
 * the page would show its placeholders again in place of the error and its pending button. A page
 * that opens later begins with placeholders.
 */
queryClient.getQueryCache().subscribe((event) => {
  const { query } = event
  if (query.getObserversCount() === 0) lastErrors.delete(query)
  else if (event.type === 'updated') {
    const { action } = event
    if (action.type === 'error') lastErrors.set(query, action.error)
    // A read with data keeps its error by itself.
    if (action.type === 'fetch' && query.state.status === 'pending' && lastErrors.has(query)) {
      query.setState({ status: 'error', error: lastErrors.get(query) })
    }
  }
})

function isWorthRetrying(error: unknown): boolean {
  if (getErrorCode(error) === 'MAINTENANCE') return false
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 0
  return typeof status !== 'number' || status === 0 || status >= 500
}
