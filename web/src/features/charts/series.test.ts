import { expect, test } from 'vitest'

import { toHoldings, toProfitLine } from './series.ts'

const points = [
  {
    day: '2026-11-01',
    available: 100.1,
    held: 0,
    invested: 0,
    profit: 0,
    paidIn: 100.1,
    credited: 0,
    bonuses: 0,
  },
  {
    day: '2026-11-10',
    available: 0.1,
    held: 20,
    invested: 80.05,
    profit: 1.5,
    paidIn: 90.15,
    credited: 8.5,
    bonuses: 0,
  },
]

test('the amounts add up with the credits of administrators, and continue until today', () => {
  const holdings = toHoldings(points, '2026-11-21')
  expect(holdings.map(({ day, total, contributed }) => [day, total, contributed])).toEqual([
    ['2026-11-01', 10_010n, 10_010n],
    ['2026-11-10', 10_015n, 9_865n],
    ['2026-11-21', 10_015n, 9_865n],
  ])
  expect(toHoldings([], '2026-11-21')).toEqual([])
})

test('profit that is overdue is due today', () => {
  const overdue = { day: '2026-11-20', profit: 0.5, principal: 0 }
  const later = { day: '2026-11-25', profit: 0.25, principal: 0 }
  const line = toProfitLine(toHoldings(points, '2026-11-21'), [overdue, later], '2026-11-21')
  expect(line.slice(2).map(({ day, past, ahead }) => [day, past, ahead])).toEqual([
    ['2026-11-21', 150n, 200n],
    ['2026-11-25', null, 225n],
  ])
})

test('the promised profit continues from the credited profit', () => {
  const line = toProfitLine(
    toHoldings(points, '2026-11-21'),
    [
      { day: '2026-11-21', profit: 0.25, principal: 30 },
      { day: '2026-11-22', profit: 0.25, principal: 80.05 },
    ],
    '2026-11-21',
  )
  expect(line).toEqual([
    { day: '2026-11-01', past: 0n, ahead: null, principal: 0n },
    { day: '2026-11-10', past: 150n, ahead: null, principal: 0n },
    { day: '2026-11-21', past: 150n, ahead: 175n, principal: 30_00n },
    { day: '2026-11-22', past: null, ahead: 200n, principal: 80_05n },
  ])
})
