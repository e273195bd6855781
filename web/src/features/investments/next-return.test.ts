import type { InvestmentProgress } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'
import { findNextReturn } from './next-return.ts'

type Given = { amount: number; expiryDate: string; returnPrincipal: boolean }

function createRunning(investment: Given): InvestmentProgress {
  // The cast is safe because the function reads only these properties.
  return { investment } as unknown as InvestmentProgress
}

const late = createRunning({
  amount: 14_000,
  expiryDate: '2027-01-13T00:00:00.000Z',
  returnPrincipal: true,
})
const soon = createRunning({
  amount: 480,
  expiryDate: '2026-11-30T00:00:00.000Z',
  returnPrincipal: true,
})
const kept = createRunning({
  amount: 90,
  expiryDate: '2026-11-29T00:00:00.000Z',
  returnPrincipal: false,
})

test('the next return is the earliest principal that a plan returns', () => {
  expect(findNextReturn([late, kept, soon])).toEqual({
    amountMinor: 48_000n,
    dueAt: '2026-11-30T00:00:00.000Z',
  })
})

test('without a plan that returns the principal, no return is due', () => {
  expect(findNextReturn([kept])).toBe(null)
  expect(findNextReturn([])).toBe(null)
})
