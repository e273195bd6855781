import { expect, test } from 'vitest'
import { fillDueDays, sumDue, sumPromised, toDueDays } from './due-days.ts'

const ROWS = [
  { day: '2026-11-28', count: 1, principal: 480, profit: 4.8 },
  { day: '2026-12-03', count: 2, principal: 600, profit: 8.25 },
]
const DAYS = toDueDays(ROWS, '2026-11-27')

test('the rest of a day in UTC that is over for the reader falls due today', () => {
  const days = toDueDays(
    [{ day: '2026-11-27', count: 1, principal: 20, profit: 0.2 }, ...ROWS],
    '2026-11-28',
  )
  expect(days).toEqual([
    { day: '2026-11-28', count: 2, principal: 500_00n, profit: 5_00n },
    { day: '2026-12-03', count: 2, principal: 600_00n, profit: 8_25n },
  ])
  expect(sumDue(fillDueDays(days, { from: '2026-11-28', to: '2026-12-03' }))).toEqual(sumDue(days))
})

test('each day of the period has its place on the axis', () => {
  const filled = fillDueDays(DAYS, { from: '2026-11-27', to: '2026-12-04' })
  expect(filled.map(({ day, count }) => [day, count])).toEqual([
    ['2026-11-27', 0],
    ['2026-11-28', 1],
    ['2026-11-29', 0],
    ['2026-11-30', 0],
    ['2026-12-01', 0],
    ['2026-12-02', 0],
    ['2026-12-03', 2],
    ['2026-12-04', 0],
  ])
  expect(sumDue(filled)).toEqual(sumDue(DAYS))
})

test('the total is the sum of all days', () => {
  expect(sumDue(DAYS)).toEqual({ count: 3, principal: 1_080_00n, profit: 13_05n })
  expect(sumDue([])).toEqual({ count: 0, principal: 0n, profit: 0n })
})

test('the promised profit includes what is overdue and what is due after the listed days', () => {
  const nothing = { count: 0, principal: 0, profit: 0 }
  const due = { overdue: nothing, byDay: ROWS, later: nothing }
  expect(sumPromised(due)).toBe(13_05n)
  const overdue = { count: 1, principal: 10, profit: 0.1 }
  const later = { count: 2, principal: 50, profit: 5.5 }
  expect(sumPromised({ ...due, overdue, later })).toBe(18_65n)
})
