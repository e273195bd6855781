import { expect, test } from 'vitest'
import { isSigningDue } from './signing-pace.ts'

const NOW = Date.UTC(2026, 10, 25)

test.each([
  ['nothing was recorded', 0n, 3_600_000, false],
  ['one event followed within the minute', 1n, 59_999, false],
  ['one event, a minute after the last checkpoint', 1n, 60_000, true],
  ['99 events within the minute', 99n, 59_999, false],
  ['100 events within the second', 100n, 999, false],
  ['100 events, a second after the last checkpoint', 100n, 1_000, true],
  ['one event, the clock set back by less than a minute', 1n, -59_999, false],
  ['one event, the clock set back by an hour', 1n, -3_600_000, true],
])('%s', (_what, events, passedMs, isDue) => {
  expect(isSigningDue({ events, signedAtMs: NOW - passedMs }, NOW)).toBe(isDue)
})

test('the first event is signed without delay', () => {
  expect(isSigningDue({ events: 1n, signedAtMs: null }, NOW)).toBe(true)
  expect(isSigningDue({ events: 0n, signedAtMs: null }, NOW)).toBe(false)
})

test('an hour of events every five seconds needs one checkpoint a minute', () => {
  let signedAtMs = NOW
  let events = 0n
  let signed = 0
  for (let nowMs = NOW + 5_000; nowMs <= NOW + 3_600_000; nowMs += 5_000) {
    events += 1n
    if (!isSigningDue({ events, signedAtMs }, nowMs)) continue
    signed += 1
    signedAtMs = nowMs
    events = 0n
  }
  expect(signed).toBe(60)
})
