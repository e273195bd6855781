import { describe, expect, test } from 'vitest'

import { REOPEN_MS } from './reopening.ts'
import { ANSWER_MS, advance, QUIET_MS } from './stream-sharing.ts'
import { createTab, type Tab } from './tab.ts'
import type { TabEffect, TabEvent, TabMessage } from './tab-messages.ts'

const TRANSACTIONS = { topics: ['transactions'], position: '7' } as const

interface Window {
  tab: Tab
  isFrozen: boolean
  timerAtMs: number | null
  stream: { after: string | null } | null
  /** The topics that this page was asked to read again. */
  read: string[]
  inbox: TabMessage[]
}

/**
 * One browser: a lock with its queue, a channel and a clock, as the specifications describe them.
 */
function openBrowser() {
  const windows: Window[] = []
  let nowMs = 0
  let holder: Window | null = null
  let queue: Window[] = []

  function dispatchEvent(window: Window, event: TabEvent): void {
    const { tab, effects } = advance(window.tab, event, nowMs)
    window.tab = tab
    for (const effect of effects) executeEffect(window, effect)
  }

  function executeEffect(window: Window, effect: TabEffect): void {
    switch (effect.kind) {
      case 'request-lock':
        queue.push(window)
        grantLock()
        return
      case 'steal-lock': {
        const robbed = holder
        queue = queue.filter((waiting) => waiting !== window)
        holder = window
        dispatchEvent(window, { kind: 'granted' })
        // A frozen page does not learn that it has lost the lock until it runs again.
        if (robbed !== null && !robbed.isFrozen) dispatchEvent(robbed, { kind: 'stolen' })
        return
      }
      case 'release-lock':
        queue = queue.filter((waiting) => waiting !== window)
        if (holder === window) holder = null
        grantLock()
        return
      case 'open-stream':
        window.stream = { after: effect.after }
        return
      case 'close-stream':
        window.stream = null
        return
      case 'answer':
        // The messages of a frozen page are queued, but its timers do not run.
        if (!window.isFrozen) executeEffect(window, { kind: 'send', message: effect.message })
        return
      case 'send':
        for (const other of windows) if (other !== window) other.inbox.push(effect.message)
        return
      case 'set-timer':
        window.timerAtMs = nowMs + effect.ms
        return
      case 'clear-timer':
        window.timerAtMs = null
        return
      case 'topics':
        window.read.push(...effect.topics)
        return
      case 'reload':
      case 'opened':
      case 'ended':
        window.read.push(effect.kind)
    }
  }

  function grantLock(): void {
    if (holder !== null) return
    const next = queue.shift()
    if (next === undefined) return
    holder = next
    dispatchEvent(next, { kind: 'granted' })
  }

  function deliver(): void {
    const receiver = windows.find(({ inbox }) => inbox.length > 0)
    const message = receiver?.inbox.shift()
    if (receiver === undefined || message === undefined) return
    if (receiver.tab.phase !== 'stopped') dispatchEvent(receiver, { kind: 'heard', message })
    deliver()
  }

  return {
    open({ isShared = true, isVisible = true } = {}): Window {
      const tab = createTab({ isShared, isVisible })
      const window = { tab, isFrozen: false, timerAtMs: null, stream: null, read: [], inbox: [] }
      windows.push(window)
      dispatchEvent(window, { kind: 'start' })
      deliver()
      return window
    },
    dispatchEvent(window: Window, event: TabEvent): void {
      dispatchEvent(window, event)
      deliver()
    },
    unfreezeWindow(window: Window): void {
      window.isFrozen = false
      if (holder !== window && window.tab.phase === 'leading')
        dispatchEvent(window, { kind: 'stolen' })
      deliver()
    },
    advanceTime(ms: number): void {
      const endMs = nowMs + ms
      for (;;) {
        const due = windows
          .filter(({ timerAtMs, isFrozen }) => timerAtMs !== null && !isFrozen)
          .toSorted((a, b) => (a.timerAtMs ?? 0) - (b.timerAtMs ?? 0))[0]
        if (due === undefined || due.timerAtMs === null || due.timerAtMs > endMs) break
        nowMs = Math.max(nowMs, due.timerAtMs)
        due.timerAtMs = null
        dispatchEvent(due, { kind: 'timer' })
        deliver()
      }
      nowMs = endMs
    },
    listWindowsWithStream: () => windows.filter(({ stream }) => stream !== null),
  }
}

describe('pages that share a stream', () => {
  test('have one stream, and its messages reach all pages', () => {
    const browser = openBrowser()
    const pages = Array.from({ length: 12 }, () => browser.open())
    const [leader, ...followers] = pages
    expect(browser.listWindowsWithStream()).toEqual([leader])
    if (leader === undefined) throw new Error('no page')
    browser.dispatchEvent(leader, { kind: 'stream-change', ...TRANSACTIONS })
    for (const page of [leader, ...followers]) expect(page.read).toContain('transactions')
  })

  test('pass the stream on with the last position when its page closes', () => {
    const browser = openBrowser()
    const [leader, next] = [browser.open(), browser.open()]
    browser.dispatchEvent(leader, { kind: 'stream-change', ...TRANSACTIONS })
    browser.dispatchEvent(leader, { kind: 'stop' })
    expect(leader.stream).toBeNull()
    expect(next.stream).toEqual({ after: '7' })
  })

  test('do not replace a leader that answers', () => {
    const browser = openBrowser()
    const leader = browser.open({ isVisible: false })
    const others = [browser.open(), browser.open()]
    browser.advanceTime(20 * (QUIET_MS + ANSWER_MS))
    expect(browser.listWindowsWithStream()).toEqual([leader])
    expect(others.flatMap(({ read }) => read)).toEqual([])
  })

  test('replace a frozen leader, which closes its stream when it runs again', () => {
    const browser = openBrowser()
    const leader = browser.open()
    const [hidden, visible] = [browser.open({ isVisible: false }), browser.open()]
    leader.isFrozen = true
    browser.advanceTime(QUIET_MS + ANSWER_MS)
    expect(browser.listWindowsWithStream()).toEqual([leader, visible])
    browser.unfreezeWindow(leader)
    expect(browser.listWindowsWithStream()).toEqual([visible])
    browser.dispatchEvent(visible, { kind: 'stream-change', ...TRANSACTIONS })
    for (const page of [leader, hidden, visible]) expect(page.read).toContain('transactions')
    // After `visible` stops, the former leader gets the lock, because it has requested the lock
    // again.
    browser.dispatchEvent(visible, { kind: 'stop' })
    expect(browser.listWindowsWithStream()).toHaveLength(1)
  })

  test('do not become leader while hidden, and ask when they become visible', () => {
    const browser = openBrowser()
    const [leader, hidden] = [browser.open(), browser.open({ isVisible: false })]
    leader.isFrozen = true
    browser.advanceTime(10 * (QUIET_MS + ANSWER_MS))
    expect(hidden.stream).toBeNull()
    browser.dispatchEvent(hidden, { kind: 'show' })
    browser.advanceTime(ANSWER_MS)
    expect(hidden.stream).not.toBeNull()
  })

  test('read everything again when a stream opens too late and without a position', () => {
    const browser = openBrowser()
    const [leader, next] = [browser.open(), browser.open()]
    leader.isFrozen = true
    browser.advanceTime(QUIET_MS + ANSWER_MS)
    expect(next.stream).toEqual({ after: null })
    browser.dispatchEvent(next, { kind: 'stream-position', position: '9' })
    expect(next.read).toEqual(['opened', 'reload'])
  })

  test('receive on joining the changes made while they were loading', () => {
    const browser = openBrowser()
    const leader = browser.open()
    browser.dispatchEvent(leader, { kind: 'stream-change', ...TRANSACTIONS })
    browser.advanceTime(1_000)
    expect(browser.open().read).toEqual(['transactions'])
    browser.advanceTime(60_000)
    expect(browser.open().read).toEqual([])
  })

  test('all receive the end of the session, from the stream and from another tab', () => {
    const browser = openBrowser()
    const [leader, other] = [browser.open(), browser.open()]
    browser.dispatchEvent(leader, { kind: 'stream-ended' })
    expect([leader.read, other.read]).toEqual([['ended'], ['ended']])
    expect(browser.listWindowsWithStream()).toEqual([])
    browser.dispatchEvent(leader, { kind: 'heard', message: { kind: 'ended' } })
    expect(leader.read).toEqual(['ended', 'ended'])
    browser.advanceTime(QUIET_MS)
    expect(leader.stream).not.toBeNull()
  })
})

test('without locks a visible page has a stream of its own and a hidden one has none', () => {
  const browser = openBrowser()
  const alone = { isShared: false }
  const [page, hidden] = [browser.open(alone), browser.open({ ...alone, isVisible: false })]
  expect([page.stream, hidden.stream]).toEqual([{ after: null }, null])
  browser.dispatchEvent(page, { kind: 'stream-change', ...TRANSACTIONS })
  browser.dispatchEvent(page, { kind: 'hide' })
  expect(page.stream).toBeNull()
  browser.dispatchEvent(page, { kind: 'show' })
  expect(page.stream).toEqual({ after: '7' })
  browser.dispatchEvent(page, { kind: 'stop' })
  expect(browser.listWindowsWithStream()).toEqual([])
})

describe('a refused stream', () => {
  test('is reopened after a delay that doubles up to a minute, and an opened one resets it', () => {
    const browser = openBrowser()
    const page = browser.open()
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      browser.dispatchEvent(page, { kind: 'stream-refused' })
      browser.advanceTime(seconds * 1_000 - 1)
      expect(page.stream).toBeNull()
      browser.advanceTime(1)
      expect(page.stream).not.toBeNull()
    }
    browser.dispatchEvent(page, { kind: 'stream-position', position: '9' })
    browser.dispatchEvent(page, { kind: 'stream-refused' })
    browser.advanceTime(REOPEN_MS)
    expect(page.stream).toEqual({ after: '9' })
  })

  test('is not reopened earlier by hiding and showing the page', () => {
    const browser = openBrowser()
    const page = browser.open({ isShared: false })
    browser.dispatchEvent(page, { kind: 'stream-refused' })
    browser.dispatchEvent(page, { kind: 'hide' })
    browser.dispatchEvent(page, { kind: 'show' })
    expect(page.stream).toBeNull()
    browser.advanceTime(REOPEN_MS)
    expect(page.stream).not.toBeNull()
  })
})
