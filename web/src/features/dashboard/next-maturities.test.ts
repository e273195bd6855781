import type { InvestmentProgress } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'
import { findNextMaturities, findNextProfit } from './next-maturities.ts'

type Given = { id: string; expiryDate: string; returnPrincipal: boolean }

function createRunning(given: Given): InvestmentProgress {
  const investment = { ...given, plan: { name: 'Hourly' }, amount: 480, profit: 0.5 }
  // The cast is safe because the function reads only these properties.
  return { investment: { ...investment, expectedProfit: 4.8 } } as unknown as InvestmentProgress
}

const later = { id: 'later', expiryDate: '2027-01-13T00:00:00.000Z', returnPrincipal: true }
const sooner = { id: 'sooner', expiryDate: '2026-11-27T04:00:00.000Z', returnPrincipal: false }

test('the investment that ends first comes first, and the list is cut', () => {
  const running = [createRunning(later), createRunning(sooner)]
  expect(findNextMaturities(running, 3).map((each) => each.investmentId)).toEqual([
    'sooner',
    'later',
  ])
  expect(findNextMaturities(running, 1)).toHaveLength(1)
  expect(findNextMaturities([], 3)).toEqual([])
})

test('the profit left and the returned principal are separate amounts', () => {
  const [first, second] = findNextMaturities([createRunning(later), createRunning(sooner)], 2)
  expect(first).toMatchObject({ profitMinor: 430n, principalMinor: 0n })
  expect(second).toMatchObject({ profitMinor: 430n, principalMinor: 48_000n })
})

test('the next profit is the earliest profit of all running investments', () => {
  const soon = { nextProfitAt: '2026-11-27T04:00:00.000Z', nextProfit: 2 }
  const late = { nextProfitAt: '2026-11-28T04:00:00.000Z', nextProfit: 5 }
  const none = { nextProfitAt: null, nextProfit: null }
  const running = [
    { ...createRunning(later), ...none },
    { ...createRunning(later), ...late },
    { ...createRunning(sooner), ...soon },
  ]
  expect(findNextProfit(running)).toMatchObject({ investmentId: 'sooner', amountMinor: 200n })
  expect(findNextProfit([{ ...createRunning(later), ...none }])).toBe(null)
})
