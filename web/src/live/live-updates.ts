import type { LiveChange, LiveTopic } from '@cairn/gateway-contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { rootsOf } from './topics.ts'

const EVENTS_PATH = '/api/v1/events'
/** A batch of changes is read again once, not once per event. */
const GATHER_MS = 250
const REOPEN_MS = 5_000

type Follower = {
  onOpen: () => void
  onTopics: (topics: ReadonlySet<LiveTopic>) => void
  onReload: () => void
  onEnd: () => void
}

/** Keeps what is on the screen as fresh as the log, while the page is open. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      follow({
        // The log's changes are caught up with by the gateway; who was notified it tells only once.
        onOpen: () => void queryClient.invalidateQueries({ queryKey: ['notifications'] }),
        onTopics: (topics) => {
          for (const root of rootsOf(topics)) {
            void queryClient.invalidateQueries({ queryKey: [root] })
          }
        },
        onReload: () => void queryClient.invalidateQueries(),
        // The same browser may have a newer session by now; if not, this read finds out.
        onEnd: () => void queryClient.invalidateQueries({ queryKey: ['session'] }),
      }),
    [queryClient],
  )
}

function follow({ onOpen, onTopics, onReload, onEnd }: Follower): () => void {
  const gathered = new Set<LiveTopic>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let reopening: ReturnType<typeof setTimeout> | undefined
  let source: EventSource

  const open = () => {
    source = new EventSource(EVENTS_PATH)
    source.addEventListener('open', onOpen)
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      // The gateway checked it against the schema before it was sent.
      const { topics }: LiveChange = JSON.parse(data)
      for (const topic of topics) gathered.add(topic)
      timer ??= setTimeout(() => {
        timer = undefined
        onTopics(new Set(gathered))
        gathered.clear()
      }, GATHER_MS)
    })
    source.addEventListener('reload', onReload)
    source.addEventListener('end', () => {
      source.close()
      onEnd()
      reopening = setTimeout(open, REOPEN_MS)
    })
    source.addEventListener('error', () => {
      // The browser comes back by itself unless the answer was not a stream at all.
      if (source.readyState !== EventSource.CLOSED) return
      reopening = setTimeout(open, REOPEN_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    clearTimeout(reopening)
    source.close()
  }
}
