import { expect, test } from 'vitest'

import { formatCountdown, isWarned, nextCheckMsOf, toKnown } from './session-times.ts'

const NOW = 1_000_000

test('a session is asked for again just when its warning begins', () => {
  const life = toKnown({ idleSecondsLeft: 1_800, secondsLeft: 40_000 }, NOW)
  expect(life.canBeKept).toBe(true)
  expect(isWarned(life)).toBe(false)
  expect(nextCheckMsOf(life)).toBe(1_620_000)
  const then = toKnown({ idleSecondsLeft: 180, secondsLeft: 38_380 }, NOW + nextCheckMsOf(life))
  expect(isWarned(then)).toBe(true)
  expect(nextCheckMsOf(then)).toBe(10_000)
})

test('one that lasts for a month is asked for once an hour', () => {
  const month = 30 * 86_400
  expect(nextCheckMsOf(toKnown({ idleSecondsLeft: month, secondsLeft: month }, NOW))).toBe(
    3_600_000,
  )
})

test('one whose last limit has come cannot be kept', () => {
  expect(toKnown({ idleSecondsLeft: 100, secondsLeft: 100 }, NOW).canBeKept).toBe(false)
})

test('what is left is said in minutes and seconds, and never less than nothing', () => {
  expect([180_000, 125_000, 61_001, 900, 0, -5_000].map(formatCountdown)).toEqual([
    '3:00',
    '2:05',
    '1:02',
    '0:01',
    '0:00',
    '0:00',
  ])
})
