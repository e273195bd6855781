import type { LedgerClient } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { createAccrualLag } from './report.ts'

const NOON_MS = Date.parse('2026-11-21T12:00:00Z')

test('the lag is read once a minute for all callers, and grows in between', async () => {
  let nowMs = NOON_MS
  let looks = 0
  const answerDueLag = async () => {
    looks += 1
    return { due: 1, oldestDueAt: new Date(NOON_MS - 5_000).toISOString() }
  }
  // The cast is safe, because only this method of the client is used.
  const ledger = { ask: answerDueLag } as unknown as LedgerClient
  const lag = createAccrualLag({ ledgers: [ledger], clock: { now: () => nowMs } })
  expect(await lag()).toBe(5)
  nowMs += 59_000
  expect(await lag()).toBe(64)
  expect(looks).toBe(1)
  nowMs += 1_000
  expect(await lag()).toBe(65)
  expect(looks).toBe(2)
  // The cached answer also expires when the clock is set back.
  nowMs -= 7_200_000
  expect(await lag()).toBe(0)
  expect(looks).toBe(3)
})

test('the lag is that of the oldest due profit of all ledgers', async () => {
  const createOwingLedger = (seconds: number | null) => {
    const oldestDueAt = seconds === null ? null : new Date(NOON_MS - seconds * 1_000).toISOString()
    return { ask: async () => ({ due: 1, oldestDueAt }) } as unknown as LedgerClient
  }
  const clock = { now: () => NOON_MS }
  const computeLag = (...ledgers: LedgerClient[]) => createAccrualLag({ ledgers, clock })()
  expect(
    await computeLag(createOwingLedger(7), createOwingLedger(90), createOwingLedger(null)),
  ).toBe(90)
  expect(await computeLag(createOwingLedger(null), createOwingLedger(null))).toBe(0)
})
