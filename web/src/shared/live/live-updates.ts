import type { LiveTopic } from '@cairn/gateway-contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import type { PageEffect } from './tab-messages.ts'
import { rootsOf } from './topics.ts'

/** A batch of changes is read again once, not once per event. */
const GATHER_MS = 250

/** Keeps what is on the screen as fresh as the log; null while no one is known to be logged in. */
export function useLiveUpdates(userId: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (userId === null) return
    const gathered = new Set<LiveTopic>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = (root: string) => void queryClient.invalidateQueries({ queryKey: [root] })
    const flush = () => {
      timer = undefined
      for (const root of rootsOf(gathered)) refresh(root)
      gathered.clear()
    }
    const onEffect = (effect: PageEffect) => {
      switch (effect.kind) {
        case 'topics':
          for (const topic of effect.topics) gathered.add(topic)
          timer ??= setTimeout(flush, GATHER_MS)
          break
        case 'reload':
          void queryClient.invalidateQueries()
          break
        case 'opened':
          // The gateway replays the log; a new notification it announces only once.
          refresh('notifications')
          break
        case 'ended':
          // This browser may have a newer session, or another person's; this read finds out.
          refresh('session')
      }
    }
    let isOver = false
    let stop: (() => void) | undefined
    // No page needs it for its first figures; without it they are as old as their last read.
    import('./shared-stream.ts').then(
      ({ followSharedStream }) => {
        if (!isOver) stop = followSharedStream({ userId, onEffect })
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
