import type { LiveChange } from '@cairn/gateway-contracts'

import { getChannelName } from './logout-channel.ts'
import { advance } from './stream-sharing.ts'
import { createTab } from './tab.ts'
import type { PageEffect, TabEffect, TabEvent, TabMessage } from './tab-messages.ts'

const EVENTS_PATH = '/api/v1/events'

/**
 * Follows the changes of one user. Returns a function that stops following them. Only the tab that
 * holds the lock opens an event stream, because a browser allows six HTTP/1.1 connections to a
 * host. This tab forwards the messages to the other tabs.
 */
export function followSharedStream(options: {
  userId: string
  onEffect: (effect: PageEffect) => void
}): () => void {
  const { userId, onEffect } = options
  const name = getChannelName(userId)
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
    for (const effect of step.effects) executeEffect(effect)
  }

  function executeEffect(effect: TabEffect): void {
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
      // The request fails if this tab released the lock or another tab stole it.
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
    const dispatchOn = (kind: string, take: (message: MessageEvent<string>) => TabEvent) =>
      opened.addEventListener(kind, (message) => dispatch(take(message)))
    dispatchOn('position', ({ lastEventId }) => ({
      kind: 'stream-position',
      position: lastEventId,
    }))
    dispatchOn('change', ({ data, lastEventId }) => {
      // The data needs no check, because the gateway has validated it.
      const { topics }: LiveChange = JSON.parse(data)
      return { kind: 'stream-change', topics, position: parsePosition(lastEventId) }
    })
    dispatchOn('reload', ({ lastEventId }) => ({
      kind: 'stream-reload',
      position: parsePosition(lastEventId),
    }))
    dispatchOn('end', () => ({ kind: 'stream-ended' }))
    opened.addEventListener('error', () => {
      // The browser reconnects by itself, except if the answer was not an event stream.
      if (opened.readyState === EventSource.CLOSED && source === opened) {
        dispatch({ kind: 'stream-refused' })
      }
    })
  }

  function start(): void {
    if (locks !== null && channel === null) {
      channel = new BroadcastChannel(name)
      // The message needs no check, because only pages of this origin can send on the channel.
      channel.onmessage = ({ data }: MessageEvent<TabMessage>) =>
        dispatch({ kind: 'heard', message: data })
    }
    dispatch({ kind: 'start' })
  }

  /**
   * Releases the channel, the lock and the stream, because they would keep the page out of the
   * back/forward cache.
   */
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
  const dispatchVisibility = () => dispatch({ kind: isVisible() ? 'show' : 'hide' })
  document.addEventListener('visibilitychange', dispatchVisibility, { signal })
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

function parsePosition(lastEventId: string): string | null {
  return lastEventId === '' ? null : lastEventId
}
