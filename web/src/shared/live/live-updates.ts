import type { LiveTopic } from '@cairn/gateway-contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { getRootKey } from '../api/query-keys.ts'
import { listStaleKeys, type QueryRoot } from '../api/query-topics.ts'
import { refreshQueries } from './refresh-queries.ts'
import type { PageEffect } from './tab-messages.ts'

/**
 * Changes are collected for this number of milliseconds, so that several changes reload a query
 * only once.
 */
const BATCH_MS = 250

/**
 * Reloads the queries whose data changes on the server. `userId` is null while no login is known.
 */
export function useLiveUpdates(userId: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (userId === null) return
    const gathered = new Set<LiveTopic>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = (queryKey: readonly [QueryRoot]) => refreshQueries(queryClient, queryKey)
    const flush = () => {
      timer = undefined
      for (const key of listStaleKeys(gathered)) refresh(key)
      gathered.clear()
    }
    const handleEffect = (effect: PageEffect) => {
      switch (effect.kind) {
        case 'topics':
          for (const topic of effect.topics) gathered.add(topic)
          timer ??= setTimeout(flush, BATCH_MS)
          break
        case 'reload':
          refreshQueries(queryClient)
          break
        case 'opened':
          // After a reconnection, the gateway repeats missed changes but not missed notifications,
          // so this call reads the notifications again.
          refresh(getRootKey('notifications'))
          break
        case 'ended':
          // The browser may now have a newer session, or a session of a different user. This read
          // shows whose session it is.
          refresh(getRootKey('session'))
      }
    }
    let isOver = false
    let stop: (() => void) | undefined
    // The module loads only after the first figures are shown, because a page does not need it
    // earlier.
    import('./shared-stream.ts').then(
      ({ followSharedStream }) => {
        if (!isOver) stop = followSharedStream({ userId, onEffect: handleEffect })
      },
      () => undefined,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
      stop?.()
    }
  }, [queryClient, userId])
}
