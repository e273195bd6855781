import type { LiveTopic } from '@cairn/gateway-contracts'

import { REOPEN_AT_ONCE, type Reopening } from './reopening.ts'
import type { TabEffect } from './tab-messages.ts'

export interface Tab {
  /** `alone`: the browser has no locks, so each visible tab has its own stream. */
  readonly phase: 'stopped' | 'following' | 'leading' | 'alone'
  readonly isShared: boolean
  readonly isVisible: boolean
  /**
   * True if this tab has pinged the leader (the tab with the event stream) and the leader has not
   * answered yet.
   */
  readonly isAsking: boolean
  readonly startedAtMs: number
  /** The id of the newest message; null if no message with an id has arrived. */
  readonly position: string | null
  /**
   * True if this tab may have missed changes. Its stream was opened without a position, so long
   * after the start of the tab that the gateway did not repeat all changes.
   */
  readonly hasGap: boolean
  readonly reopening: Reopening
  /**
   * The time of the last change of each topic. A tab that starts within the next seconds receives
   * these times.
   */
  readonly recent: ReadonlyMap<LiveTopic, number>
}

export interface Step {
  readonly tab: Tab
  readonly effects: readonly TabEffect[]
}

export function createTab({ isShared, isVisible }: Pick<Tab, 'isShared' | 'isVisible'>): Tab {
  return {
    phase: 'stopped',
    isShared,
    isVisible,
    isAsking: false,
    startedAtMs: 0,
    position: null,
    hasGap: false,
    reopening: REOPEN_AT_ONCE,
    recent: new Map(),
  }
}
