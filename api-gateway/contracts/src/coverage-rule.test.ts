import { expect, test } from 'vitest'
import { computeFreeReserve, computePercentage } from './coverage-rule.ts'

const BALANCES = {
  reserveMinor: 15_000n,
  marketingMinor: -3_000n,
  adjustmentsMinor: -2_000n,
  openingMinor: 0n,
}

test('costs that are not paid in lower the reserve, and earnings cover nothing', () => {
  expect(computeFreeReserve(BALANCES)).toBe(10_000n)
  expect(computeFreeReserve({ ...BALANCES, marketingMinor: 4_000n })).toBe(13_000n)
  expect(computeFreeReserve({ ...BALANCES, openingMinor: -12_000n })).toBe(-2_000n)
})

test('the share is rounded down, never below zero, and whole without promised profit', () => {
  expect(computePercentage({ committedMinor: 8_000n, coveredMinor: 7_999n })).toBe(99.98)
  expect(computePercentage({ committedMinor: 8_000n, coveredMinor: -1n })).toBe(0)
  expect(computePercentage({ committedMinor: 0n, coveredMinor: 0n })).toBe(100)
})
