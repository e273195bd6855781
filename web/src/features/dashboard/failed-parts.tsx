import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { FailedState } from '../../shared/ui/failed-state.tsx'

const FAILED = { type: 'active', predicate: hasFailed } as const

function hasFailed({ state }: Query): boolean {
  return state.status === 'error'
}

/**
 * Shows one error for all reads of the page that have failed, with one button that repeats them. The
 * parts of the page then show only that they are not loaded.
 */
export function FailedParts() {
  const queryClient = useQueryClient()
  const cache = queryClient.getQueryCache()
  const subscribe = useCallback(
    // The cache also reports a change while React renders, when no component may be updated.
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  )
  const state = useSyncExternalStore(subscribe, () => {
    const failed = cache.findAll(FAILED)
    if (failed.length === 0) return 'none'
    return failed.some((query) => query.state.fetchStatus === 'fetching') ? 'retrying' : 'failed'
  })
  if (state === 'none') return null
  return (
    <FailedState
      message="Parts of this page could not be loaded."
      error={cache.findAll(FAILED)[0]?.state.error}
      onRetry={() => queryClient.refetchQueries(FAILED)}
      pending={state === 'retrying'}
    />
  )
}
