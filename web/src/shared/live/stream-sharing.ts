import type { LiveTopic } from '@cairn/gateway-contracts'

import { getMaxPosition } from './live-position.ts'
import { computeReopening, REOPEN_AT_ONCE, REOPEN_MS } from './reopening.ts'
import type { Step, Tab } from './tab.ts'
import type { StreamEvent, TabEffect, TabEvent, TabMessage } from './tab-messages.ts'

/**
 * A tab that has received nothing for this number of milliseconds pings the leader, which is the
 * tab with the event stream.
 */
export const QUIET_MS = 5_000
/**
 * If the leader, the tab with the event stream, does not answer a ping within this number of
 * milliseconds, it loses its lock.
 */
export const ANSWER_MS = 5_000
/**
 * If a stream opens without a position, the gateway repeats the changes of the last `REPLAY_MS`
 * milliseconds.
 */
const REPLAY_MS = 10_000
/**
 * If the stream of a tab without a position opens later than this number of milliseconds after the
 * start of the tab, the tab may have missed a change.
 */
const UNKNOWN_MS_MAX = 5_000

/**
 * Computes the next state of a tab that shares its event stream. The caller carries out the effects
 * in order. If the browser has locks, only the tab that holds the lock has a stream.
 */
export function advance(tab: Tab, event: TabEvent, nowMs: number): Step {
  switch (event.kind) {
    case 'start':
      return tab.phase === 'stopped' ? start(tab, nowMs) : createUnchangedStep(tab)
    case 'stop':
      return stop(tab)
    case 'show':
      return handlePageShown({ ...tab, isVisible: true }, nowMs)
    case 'hide':
      return handlePageHidden({ ...tab, isVisible: false })
    case 'granted':
      return tab.phase === 'following' ? becomeLeader(tab, nowMs) : createUnchangedStep(tab)
    case 'stolen':
      return tab.phase === 'leading'
        ? becomeFollower(tab, [{ kind: 'close-stream' }])
        : createUnchangedStep(tab)
    case 'timer':
      return handleTimerElapsed(tab, nowMs)
    case 'heard':
      return receiveMessage(tab, event.message, nowMs)
    case 'stream-position':
    case 'stream-change':
    case 'stream-reload':
    case 'stream-ended':
    case 'stream-refused':
      return tab.phase === 'leading' || tab.phase === 'alone'
        ? handleStreamEvent(tab, event, nowMs)
        : createUnchangedStep(tab)
  }
}

function createUnchangedStep(tab: Tab): Step {
  return { tab, effects: [] }
}

function start(tab: Tab, nowMs: number): Step {
  const started: Tab = { ...tab, startedAtMs: nowMs, isAsking: false }
  if (!tab.isShared) {
    const alone: Tab = { ...started, phase: 'alone' }
    return tab.isVisible ? openStream(alone, nowMs) : createUnchangedStep(alone)
  }
  // The leader, the tab with the event stream, answers `ask` with the changes that it received
  // while this tab was loading.
  return becomeFollower(started, [
    { kind: 'request-lock' },
    { kind: 'send', message: { kind: 'ask' } },
  ])
}

function becomeFollower(tab: Tab, before: readonly TabEffect[]): Step {
  const effects: TabEffect[] = [...before]
  // A tab that lost the lock requests the lock again.
  if (tab.phase === 'leading') effects.push({ kind: 'request-lock' })
  effects.push(tab.isVisible ? { kind: 'set-timer', ms: QUIET_MS } : { kind: 'clear-timer' })
  return { tab: { ...tab, phase: 'following', isAsking: false }, effects }
}

function stop(tab: Tab): Step {
  if (tab.phase === 'stopped') return createUnchangedStep(tab)
  const effects: TabEffect[] = [{ kind: 'clear-timer' }]
  if (tab.phase !== 'following') effects.push({ kind: 'close-stream' })
  if (tab.isShared) effects.push({ kind: 'release-lock' })
  return { tab: { ...tab, phase: 'stopped', isAsking: false }, effects }
}

function handlePageShown(tab: Tab, nowMs: number): Step {
  if (tab.phase === 'alone') return openStream(tab, nowMs)
  if (tab.phase !== 'following') return createUnchangedStep(tab)
  // The leader may have stopped sending while this tab was hidden, so this tab pings the leader.
  return pingLeader(tab)
}

function handlePageHidden(tab: Tab): Step {
  if (tab.phase === 'alone') {
    return { tab, effects: [{ kind: 'clear-timer' }, { kind: 'close-stream' }] }
  }
  // A hidden tab needs no timer, because only a visible tab takes the lock from a leader that does
  // not answer.
  if (tab.phase !== 'following') return createUnchangedStep(tab)
  return { tab: { ...tab, isAsking: false }, effects: [{ kind: 'clear-timer' }] }
}

function pingLeader(tab: Tab): Step {
  return {
    tab: { ...tab, isAsking: true },
    effects: [
      { kind: 'send', message: { kind: 'ask' } },
      { kind: 'set-timer', ms: ANSWER_MS },
    ],
  }
}

function becomeLeader(tab: Tab, nowMs: number): Step {
  const { tab: leading, effects } = openStream({ ...tab, phase: 'leading', isAsking: false }, nowMs)
  const here: TabMessage = {
    kind: 'here',
    position: tab.position,
    recent: listRecentTopics(tab, nowMs),
  }
  return {
    tab: leading,
    effects: [{ kind: 'clear-timer' }, { kind: 'send', message: here }, ...effects],
  }
}

function openStream(tab: Tab, nowMs: number): Step {
  const waitMs = tab.reopening.notBeforeMs - nowMs
  if (waitMs > 0) return { tab, effects: [{ kind: 'set-timer', ms: waitMs }] }
  const hasGap = tab.position === null && nowMs - tab.startedAtMs > UNKNOWN_MS_MAX
  return {
    tab: { ...tab, hasGap },
    effects: [{ kind: 'open-stream', after: tab.position }],
  }
}

function handleTimerElapsed(tab: Tab, nowMs: number): Step {
  // The delay has passed, so the stream may be opened again.
  if (tab.phase === 'leading' || (tab.phase === 'alone' && tab.isVisible))
    return openStream(tab, nowMs)
  if (tab.phase !== 'following' || !tab.isVisible) return createUnchangedStep(tab)
  if (!tab.isAsking) return pingLeader(tab)
  return {
    tab: { ...tab, isAsking: false },
    effects: [{ kind: 'steal-lock' }, { kind: 'set-timer', ms: QUIET_MS }],
  }
}

function receiveMessage(tab: Tab, message: TabMessage, nowMs: number): Step {
  if (message.kind === 'ask') {
    if (tab.phase !== 'leading') return createUnchangedStep(tab)
    const here: TabMessage = {
      kind: 'here',
      position: tab.position,
      recent: listRecentTopics(tab, nowMs),
    }
    return { tab, effects: [{ kind: 'answer', message: here }] }
  }
  // The message `ended` is sent when another tab of this user has logged out.
  if (tab.phase === 'leading' && message.kind === 'ended') return { tab, effects: [message] }
  if (tab.phase !== 'following') return createUnchangedStep(tab)
  const timer: readonly TabEffect[] = tab.isVisible ? [{ kind: 'set-timer', ms: QUIET_MS }] : []
  const heard: Tab = { ...tab, isAsking: false }
  switch (message.kind) {
    case 'here':
      return receiveFromLeader(heard, message, timer)
    case 'position':
      return {
        tab: { ...heard, position: getMaxPosition(tab.position, message.position) },
        effects: [...timer, { kind: 'opened' }],
      }
    case 'change':
      return {
        tab: applyChange(heard, message, nowMs),
        effects: [...timer, { kind: 'topics', topics: message.topics }],
      }
    case 'reload':
      return {
        tab: { ...heard, position: getMaxPosition(tab.position, message.position) },
        effects: [...timer, { kind: 'reload' }],
      }
    case 'ended':
      return { tab: heard, effects: [...timer, { kind: 'ended' }] }
  }
}

function receiveFromLeader(
  tab: Tab,
  { position, recent }: Extract<TabMessage, { kind: 'here' }>,
  timer: readonly TabEffect[],
): Step {
  const known: Tab = { ...tab, position: getMaxPosition(tab.position, position) }
  // A tab without a position has just started. It may have read its data before the changes in
  // `recent`, so it reads the data again.
  if (tab.position === null) {
    const effects: TabEffect[] = [...timer]
    if (recent.length > 0) effects.push({ kind: 'topics', topics: recent })
    return { tab: known, effects }
  }
  const hasMissed = known.position !== tab.position
  return { tab: known, effects: hasMissed ? [...timer, { kind: 'reload' }] : timer }
}

function handleStreamEvent(tab: Tab, event: StreamEvent, nowMs: number): Step {
  switch (event.kind) {
    case 'stream-position':
      return handlePosition(
        { ...tab, position: getMaxPosition(tab.position, event.position) },
        event.position,
      )
    case 'stream-change': {
      const { topics, position } = event
      return {
        tab: applyChange(tab, { topics, position }, nowMs),
        effects: [
          { kind: 'topics', topics },
          { kind: 'send', message: { kind: 'change', topics, position } },
        ],
      }
    }
    case 'stream-reload':
      return {
        tab: { ...tab, position: getMaxPosition(tab.position, event.position) },
        effects: [
          { kind: 'reload' },
          { kind: 'send', message: { kind: 'reload', position: event.position } },
        ],
      }
    case 'stream-ended':
      return {
        tab,
        effects: [
          { kind: 'close-stream' },
          { kind: 'ended' },
          { kind: 'send', message: { kind: 'ended' } },
          { kind: 'set-timer', ms: REOPEN_MS },
        ],
      }
    case 'stream-refused':
      return reopenLater(tab, nowMs)
  }
}

function reopenLater(tab: Tab, nowMs: number): Step {
  const reopening = computeReopening(tab.reopening, nowMs)
  const ms = reopening.notBeforeMs - nowMs
  return {
    tab: { ...tab, reopening },
    effects: [{ kind: 'close-stream' }, { kind: 'ended' }, { kind: 'set-timer', ms }],
  }
}

function handlePosition(tab: Tab, position: string): Step {
  const effects: TabEffect[] = [
    { kind: 'opened' },
    { kind: 'send', message: { kind: 'position', position } },
  ]
  if (tab.hasGap) {
    effects.push({ kind: 'reload' }, { kind: 'send', message: { kind: 'reload', position } })
  }
  return { tab: { ...tab, hasGap: false, reopening: REOPEN_AT_ONCE }, effects }
}

function applyChange(
  tab: Tab,
  { topics, position }: { topics: readonly LiveTopic[]; position: string | null },
  nowMs: number,
): Tab {
  const recent = new Map(tab.recent)
  for (const topic of topics) recent.set(topic, nowMs)
  return { ...tab, recent, position: getMaxPosition(tab.position, position) }
}

function listRecentTopics(tab: Tab, nowMs: number): readonly LiveTopic[] {
  return [...tab.recent].filter(([, atMs]) => nowMs - atMs <= REPLAY_MS).map(([topic]) => topic)
}
