import { expect, test } from 'vitest'

import { formatCountdown, getNextCheckMs, isWarned, toSessionEnd } from './session-times.ts'

const NOW = 1_000_000

test('a session is read again when its warning begins', () => {
  const life = toSessionEnd({ idleSecondsLeft: 1_800, secondsLeft: 40_000 }, NOW)
  expect(life.canBeKept).toBe(true)
  expect(isWarned(life)).toBe(false)
  expect(getNextCheckMs(life)).toBe(1_620_000)
  const then = toSessionEnd(
    { idleSecondsLeft: 180, secondsLeft: 38_380 },
    NOW + getNextCheckMs(life),
  )
  expect(isWarned(then)).toBe(true)
  expect(getNextCheckMs(then)).toBe(10_000)
})

test('a session of a month is read once an hour', () => {
  const month = 30 * 86_400
  expect(getNextCheckMs(toSessionEnd({ idleSecondsLeft: month, secondsLeft: month }, NOW))).toBe(
    3_600_000,
  )
})

test('a session at its absolute limit cannot be extended', () => {
  expect(toSessionEnd({ idleSecondsLeft: 100, secondsLeft: 100 }, NOW).canBeKept).toBe(false)
})

test('the remaining time is in minutes and seconds and never negative', () => {
  expect([180_000, 125_000, 61_001, 900, 0, -5_000].map(formatCountdown)).toEqual([
    '3:00',
    '2:05',
    '1:02',
    '0:01',
    '0:00',
    '0:00',
  ])
})
