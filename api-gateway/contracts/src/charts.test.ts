import { expect, test } from 'vitest'
import { BalancePoint } from './charts.ts'

test('an answer of release 0.1.0 has neither credits nor bonuses, and its chart is still drawn', () => {
  const money = { available: 10, held: 0, invested: 5, profit: 1, paidIn: 14 }
  const point = { day: '2026-11-26', ...money }
  expect(BalancePoint.parse(point)).toEqual({ ...point, credited: 0, bonuses: 0 })
  expect(BalancePoint.parse({ ...point, credited: 2 })).toEqual({
    ...point,
    credited: 2,
    bonuses: 0,
  })
})
