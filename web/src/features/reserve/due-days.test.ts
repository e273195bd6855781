import { expect, test } from 'vitest'
import { fillDueDays, sumDue, toDueDays } from './due-days.ts'

const DAYS = toDueDays([
  { day: '2026-11-28', count: 1, principal: 480, profit: 4.8 },
  { day: '2026-12-03', count: 2, principal: 600, profit: 8.25 },
])

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
