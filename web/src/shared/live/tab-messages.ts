import type { LiveTopic } from '@cairn/gateway-contracts'

/** Messages between the tabs of one user. They use a channel that only these tabs open. */
export type TabMessage =
  | { kind: 'ask' }
  | { kind: 'here'; position: string | null; recent: readonly LiveTopic[] }
  | { kind: 'position'; position: string }
  | { kind: 'change'; topics: readonly LiveTopic[]; position: string | null }
  | { kind: 'reload'; position: string | null }
  | { kind: 'ended' }

/** Inputs of a tab: from its browser, from other tabs, and from its stream. */
export type TabEvent =
  | { kind: 'start' | 'stop' | 'show' | 'hide' | 'granted' | 'stolen' | 'timer' }
  | { kind: 'heard'; message: TabMessage }
  | StreamEvent

export type StreamEvent =
  | { kind: 'stream-position'; position: string }
  | { kind: 'stream-change'; topics: readonly LiveTopic[]; position: string | null }
  | { kind: 'stream-reload'; position: string | null }
  | { kind: 'stream-ended' | 'stream-refused' }

export type TabEffect =
  | { kind: 'request-lock' | 'steal-lock' | 'release-lock' | 'close-stream' | 'clear-timer' }
  | { kind: 'open-stream'; after: string | null }
  | { kind: 'send'; message: TabMessage }
  /**
   * Sends the message from a timer. The timers of a frozen tab are paused, so a frozen tab does not
   * answer.
   */
  | { kind: 'answer'; message: TabMessage }
  | { kind: 'set-timer'; ms: number }
  | PageEffect

/** Effects inside the tab, such as the data that the tab must read again. */
export type PageEffect =
  | { kind: 'topics'; topics: readonly LiveTopic[] }
  /** The tab must read all data again, because it may have missed changes. */
  | { kind: 'reload' }
  /** The stream is open. A notification is announced only once, so the tab may have missed some. */
  | { kind: 'opened' }
  /** The session is over or belongs to another user. */
  | { kind: 'ended' }
