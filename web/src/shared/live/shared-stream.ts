import type { LiveChange } from '@cairn/gateway-contracts'

import { channelNameOf } from './logout-channel.ts'
import { advance, createTab } from './stream-sharing.ts'
import type { PageEffect, TabEffect, TabEvent, TabMessage } from './tab-messages.ts'

const EVENTS_PATH = '/api/v1/events'

/**
 * Follows the changes of one user with one event stream for all tabs of the browser: browsers allow six
 * HTTP/1.1 connections to a host, and each stream takes one. The tab that holds the lock has the stream and
 * forwards messages to the others. Lock and channel names contain the user id, so a tab of another user
 * receives nothing. Returns a function that stops following.
 */
export function followSharedStream(options: {
  userId: string
  onEffect: (effect: PageEffect) => void
}): () => void {
  const { userId, onEffect } = options
  const name = channelNameOf(userId)
  // Locks need a secure context. Without them each visible tab has its own stream.
  const locks = 'locks' in navigator ? navigator.locks : null
  let tab = createTab({ isShared: locks !== null, isVisible: isVisible() })
  let timer: ReturnType<typeof setTimeout> | undefined
  let channel: BroadcastChannel | null = null
  let source: EventSource | null = null
  let claim: { giveUp: AbortController; release: () => void } | null = null

  function dispatch(event: TabEvent): void {
    const step = advance(tab, event, Date.now())
    tab = step.tab
    for (const effect of step.effects) carryOut(effect)
  }

  function carryOut(effect: TabEffect): void {
    switch (effect.kind) {
      case 'request-lock':
        requestLock({ isStolen: false })
        break
      case 'steal-lock':
        requestLock({ isStolen: true })
        break
      case 'release-lock':
        releaseLock()
        break
      case 'open-stream':
        openStream(effect.after)
        break
      case 'close-stream':
        source?.close()
        source = null
        break
      case 'send':
        channel?.postMessage(effect.message)
        break
      case 'answer':
        setTimeout(() => channel?.postMessage(effect.message))
        break
      case 'set-timer':
        clearTimeout(timer)
        timer = setTimeout(() => dispatch({ kind: 'timer' }), effect.ms)
        break
      case 'clear-timer':
        clearTimeout(timer)
        break
      case 'topics':
      case 'reload':
      case 'opened':
      case 'ended':
        onEffect(effect)
    }
  }

  function requestLock({ isStolen }: { isStolen: boolean }): void {
    if (locks === null) return
    releaseLock()
    const giveUp = new AbortController()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const mine = { giveUp, release }
    claim = mine
    locks
      .request(name, isStolen ? { steal: true } : { signal: giveUp.signal }, () => {
        if (claim !== mine) return
        dispatch({ kind: 'granted' })
        return released
      })
      // This tab released the lock, or another one stole it.
      .catch(() => claim === mine && dispatch({ kind: 'stolen' }))
  }

  function releaseLock(): void {
    claim?.giveUp.abort()
    claim?.release()
    claim = null
  }

  function openStream(after: string | null): void {
    source?.close()
    const query = new URLSearchParams({ user: userId, ...(after === null ? {} : { after }) })
    const opened = new EventSource(`${EVENTS_PATH}?${query}`)
    source = opened
    const on = (kind: string, take: (message: MessageEvent<string>) => TabEvent) =>
      opened.addEventListener(kind, (message) => dispatch(take(message)))
    on('position', ({ lastEventId }) => ({ kind: 'stream-position', position: lastEventId }))
    on('change', ({ data, lastEventId }) => {
      // The gateway validated it before sending.
      const { topics }: LiveChange = JSON.parse(data)
      return { kind: 'stream-change', topics, position: positionOf(lastEventId) }
    })
    on('reload', ({ lastEventId }) => ({
      kind: 'stream-reload',
      position: positionOf(lastEventId),
    }))
    on('end', () => ({ kind: 'stream-ended' }))
    opened.addEventListener('error', () => {
      // The browser reconnects unless the answer was not an event stream.
      if (opened.readyState === EventSource.CLOSED && source === opened) {
        dispatch({ kind: 'stream-refused' })
      }
    })
  }

  function start(): void {
    if (locks !== null && channel === null) {
      channel = new BroadcastChannel(name)
      // Only pages of this origin can send on the channel.
      channel.onmessage = ({ data }: MessageEvent<TabMessage>) =>
        dispatch({ kind: 'heard', message: data })
    }
    dispatch({ kind: 'start' })
  }

  /** Releases channel, lock and stream, which would keep the page out of the back/forward cache. */
  function stop(): void {
    dispatch({ kind: 'stop' })
    channel?.close()
    channel = null
  }

  function resume(): void {
    start()
    onEffect({ kind: 'reload' })
  }

  const listening = new AbortController()
  const { signal } = listening
  const onShown = () => dispatch({ kind: isVisible() ? 'show' : 'hide' })
  document.addEventListener('visibilitychange', onShown, { signal })
  window.addEventListener('pagehide', stop, { signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && resume(), { signal })
  document.addEventListener('freeze', stop, { signal })
  document.addEventListener('resume', resume, { signal })
  start()
  return () => {
    listening.abort()
    stop()
  }
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

function positionOf(lastEventId: string): string | null {
  return lastEventId === '' ? null : lastEventId
}
