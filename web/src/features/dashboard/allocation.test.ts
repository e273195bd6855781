import type { InvestmentProgress } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import { computeAllocation, computeMaturities, formatShare } from './allocation.ts'

/** An object with only the fields that the tested functions read. */
function createProgress(name: string | null, amount: number): InvestmentProgress {
  return { investment: { plan: { name }, amount } } as InvestmentProgress
}

test('investments of one plan are one share, the largest first', () => {
  const shares = computeAllocation([
    createProgress('Starter', 100.5),
    createProgress('Pro', 300),
    createProgress('Starter', 0.5),
    createProgress(null, 99),
  ])
  expect(shares.map(({ name, minor }) => [name, minor])).toEqual([
    ['Pro', 30_000n],
    ['Starter', 10_100n],
    ['No Plan', 9_900n],
  ])
  expect(shares.map(({ tenths }) => formatShare(tenths))).toEqual(['60.0%', '20.2%', '19.8%'])
})

test('without running investments there are no shares', () => {
  expect(computeAllocation([])).toEqual([])
})

test('the earliest end is first, and each investment is in one term only', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z')
  const createEnding = (expiryDate: string, amount: number) =>
    ({ investment: { plan: { name: 'Pro' }, expiryDate, amount } }) as InvestmentProgress
  const shares = computeMaturities(
    [
      createEnding('2027-06-01T00:00:00Z', 50),
      createEnding('2026-11-28T12:00:00Z', 10),
      createEnding('2026-11-28T12:00:01Z', 20),
      // This investment has ended, but its last profit is not credited yet.
      createEnding('2026-11-21T11:00:00Z', 20),
    ],
    nowMs,
  )
  expect(shares.map(({ name, minor, tenths }) => [name, minor, tenths])).toEqual([
    ['Ends within 7 days', 3_000n, 300n],
    ['Ends in 7 to 30 days', 2_000n, 200n],
    ['Ends later', 5_000n, 500n],
  ])
})

test('rounded shares sum to 100 %: the largest remainder is rounded up', () => {
  const shares = computeAllocation([
    createProgress('Elite', 7_800),
    createProgress('Pro', 5_200),
    createProgress('Growth', 1_000),
    createProgress('Hourly', 480),
  ])
  expect(shares.map(({ tenths }) => formatShare(tenths))).toEqual([
    '53.9%',
    '35.9%',
    '6.9%',
    '3.3%',
  ])
})
