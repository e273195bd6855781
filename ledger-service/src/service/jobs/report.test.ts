import type { LedgerClient } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { createAccrualLag } from './report.ts'

const NOON_MS = Date.parse('2026-11-21T12:00:00Z')

test('the lag is read once a minute for all callers, and grows in between', async () => {
  let nowMs = NOON_MS
  let looks = 0
  const ask = async () => {
    looks += 1
    return { due: 1, oldestDueAt: new Date(NOON_MS - 5_000).toISOString() }
  }
  // The cast holds because the lag uses only this method of the client.
  const ledger = { ask } as unknown as LedgerClient
  const lag = createAccrualLag({ ledgers: [ledger], clock: { now: () => nowMs } })
  expect(await lag()).toBe(5)
  nowMs += 59_000
  expect(await lag()).toBe(64)
  expect(looks).toBe(1)
  nowMs += 1_000
  expect(await lag()).toBe(65)
  expect(looks).toBe(2)
  // After the clock was set back, the cached answer expires as well.
  nowMs -= 7_200_000
  expect(await lag()).toBe(0)
  expect(looks).toBe(3)
})

test('the lag is that of the oldest due profit of all ledgers', async () => {
  const owing = (seconds: number | null) => {
    const oldestDueAt = seconds === null ? null : new Date(NOON_MS - seconds * 1_000).toISOString()
    return { ask: async () => ({ due: 1, oldestDueAt }) } as unknown as LedgerClient
  }
  const clock = { now: () => NOON_MS }
  const lagOf = (...ledgers: LedgerClient[]) => createAccrualLag({ ledgers, clock })()
  expect(await lagOf(owing(7), owing(90), owing(null))).toBe(90)
  expect(await lagOf(owing(null), owing(null))).toBe(0)
})
