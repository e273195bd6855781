import { expect, test } from 'vitest'
import { isDrillDue } from './weekly-drill.ts'

const NOW_MS = Date.UTC(2026, 10, 27)
const HOUR_MS = 3_600_000

function isDueAfter(hours: number, passed: boolean): boolean {
  const startedAt = new Date(NOW_MS - hours * HOUR_MS).toISOString()
  const problem = passed ? null : 'event 7 differs'
  return isDrillDue({ startedAt, seconds: 4, passed, problem }, NOW_MS)
}

test('a drill is due before the first one', () => {
  expect(isDrillDue(null, NOW_MS)).toBe(true)
})

test('a drill is due a week after a drill that passed', () => {
  expect(isDueAfter(167, true)).toBe(false)
  expect(isDueAfter(168, true)).toBe(true)
})

test('a drill is due a day after a drill that failed', () => {
  expect(isDueAfter(23, false)).toBe(false)
  expect(isDueAfter(24, false)).toBe(true)
})

test('a drill is due if the clock was set back before the last one', () => {
  expect(isDueAfter(-1, true)).toBe(true)
})
