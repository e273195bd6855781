import { expect, test } from 'vitest'

import { getFirstDayOfRange, groupFlows, toCoverageDays } from './flow-series.ts'

const createFlow = (day: string, deposits: number, withdrawals = 0) => ({
  day,
  deposits,
  withdrawals,
  invested: 0,
  profit: 0,
})

test('days of one week are one bar, to the cent', () => {
  // 16 November 2026 is a Monday.
  const flows = [
    createFlow('2026-11-15', 1),
    createFlow('2026-11-16', 0.1),
    createFlow('2026-11-22', 0.2, 5),
  ]
  expect(groupFlows(flows, '90')).toEqual([
    { key: '2026-11-09', label: 'Week from Nov 9, 2026', deposits: 100n, withdrawals: 0n },
    { key: '2026-11-16', label: 'Week from Nov 16, 2026', deposits: 30n, withdrawals: 500n },
  ])
  expect(groupFlows(flows, '365')).toEqual([
    { key: '2026-11', label: 'Nov 2026', deposits: 130n, withdrawals: 500n },
  ])
})

test('a week without movement has an empty bar', () => {
  const flows = [createFlow('2026-11-01', 1), createFlow('2026-11-16', 1)]
  expect(groupFlows(flows, '90').map(({ key, deposits }) => [key, deposits])).toEqual([
    ['2026-10-26', 100n],
    ['2026-11-02', 0n],
    ['2026-11-09', 0n],
    ['2026-11-16', 100n],
  ])
})

test('a day on which more was taken back than approved lowers the sum', () => {
  const flows = [createFlow('2026-11-17', 5), createFlow('2026-11-19', -2, -1)]
  expect(
    groupFlows(flows, '30').map(({ deposits, withdrawals }) => [deposits, withdrawals]),
  ).toEqual([
    [500n, 0n],
    [0n, 0n],
    [-200n, -100n],
  ])
  expect(groupFlows(flows, '365')).toMatchObject([{ deposits: 300n, withdrawals: -100n }])
})

test('a day on which only profit moved has no bar', () => {
  expect(groupFlows([createFlow('2026-11-15', 0)], '30')).toEqual([])
})

test.each([
  ['30', '2026-11-21', '2026-10-23'],
  // Ninety days begin on a Sunday, a Monday and a Tuesday.
  ['90', '2026-11-27', '2026-08-24'],
  ['90', '2026-11-28', '2026-08-31'],
  ['90', '2026-11-29', '2026-08-31'],
  ['365', '2026-11-30', '2025-12-01'],
  ['365', '2026-11-29', '2025-11-01'],
] as const)('%s days that end on %s begin with the whole bar of %s', (range, today, first) => {
  expect(getFirstDayOfRange(range, today)).toBe(first)
  const [bar] = groupFlows([createFlow(first, 1)], range)
  expect(first.startsWith(bar?.key ?? '-')).toBe(true)
})

test('the newest coverage applies until today', () => {
  const point = { day: '2026-11-19', reserve: 5, committed: 10, liabilities: 20, percentage: 50 }
  const listDays = (today: string) =>
    toCoverageDays([point], today).map(({ day, percentage }) => [day, percentage])
  expect(listDays('2026-11-19')).toEqual([['2026-11-19', 50]])
  expect(listDays('2026-11-21')).toEqual([
    ['2026-11-19', 50],
    ['2026-11-21', 50],
  ])
  expect(toCoverageDays([], '2026-11-21')).toEqual([])
})
