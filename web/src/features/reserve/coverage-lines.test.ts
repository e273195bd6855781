import { expect, test } from 'vitest'

import { groupCoverage, listCoverageLines, sumOwnMoney } from './coverage-lines.ts'

const COVERAGE = {
  liabilities: 1_500.5,
  committed: 20.25,
  reserve: -5,
  fees: 3.1,
  income: 10,
  marketing: -12.34,
  adjustments: -5.67,
  opening: 0,
  cash: 1_510.84,
  shortfall: 23.01,
  percentage: 0,
  mode: 'disclose',
  asOf: '2026-01-02T03:04:05.000Z',
} as const

test('every line of the cash is shown', () => {
  const lines = listCoverageLines(COVERAGE)
  expect(lines).toHaveLength(7)
  expect(lines.reduce((sum, { minor }) => sum + minor, 0n)).toBe(151_084n)
})

test('opening balances are shown while their import is not complete', () => {
  const lines = listCoverageLines({ ...COVERAGE, opening: -10, cash: 1_500.84 })
  expect(lines.at(-1)).toEqual({ name: 'Opening balances, import not complete', minor: -1_000n })
  expect(lines.reduce((sum, { minor }) => sum + minor, 0n)).toBe(150_084n)
})

test('the parts of the bar add up to the cash, after the costs', () => {
  const { owed, promised, own, cash } = groupCoverage(COVERAGE)
  expect({ owed, promised, own }).toEqual({ owed: 150_050n, promised: 2_025n, own: -991n })
  expect(owed + promised + own).toBe(cash)
})

test('the own money of release 0.9.0, which names no opening balances, is summed without them', () => {
  const { opening: _, ...balances } = COVERAGE
  expect(sumOwnMoney(balances)).toBe(-991n)
  expect(sumOwnMoney({ ...balances, opening: -10 })).toBe(-1_991n)
})
