import { expect, test } from 'vitest'
import { describeCoverageAfter } from './coverage-after.ts'

const BALANCES = {
  reserve: 150,
  committed: 80,
  coverage: 100,
  marketing: -30,
  adjustments: -20,
  opening: 0,
}

test('what is left after the costs can leave the reserve', () => {
  expect(describeCoverageAfter(BALANCES, 10_000n)).toBe('All promised profit stays covered.')
})

test('one cent more lowers the coverage, which is rounded down', () => {
  expect(describeCoverageAfter(BALANCES, 10_001n)).toBe(
    'The coverage of promised profit, which the public pages disclose, falls from 100% to 99.98%. Up to $100.00 can be taken out while all promised profit stays covered.',
  )
})

test('the coverage of one of several ledgers is not the one that the public pages disclose', () => {
  expect(describeCoverageAfter(BALANCES, 15_000n, { isOneOfSeveral: true })).toMatch(
    /^The coverage of promised profit in this ledger falls from 100% to 37\.5%/,
  )
})

test('the whole reserve leaves a coverage of the promised profit less the costs', () => {
  expect(describeCoverageAfter(BALANCES, 15_000n)).toContain('from 100% to 37.5%')
})

test('a reserve that is too small covers less, but never less than nothing', () => {
  const poor = { ...BALANCES, reserve: 20, coverage: 62.5 }
  expect(describeCoverageAfter(poor, 1_000n)).toBe(
    'Only 62.5% of the promised profit is covered now, and 50% after this withdrawal.',
  )
  expect(describeCoverageAfter(poor, 20_000n)).toContain('and 0% after this withdrawal.')
})

test('earnings in the accounts of costs cover nothing', () => {
  const earning = { ...BALANCES, marketing: 40 }
  expect(describeCoverageAfter(earning, 13_000n)).toBe('All promised profit stays covered.')
  expect(describeCoverageAfter(earning, 13_001n)).toContain('Up to $130.00 can be taken out')
})

test('without promised profit, nothing has to be covered', () => {
  expect(describeCoverageAfter({ ...BALANCES, committed: 0 }, 15_000n)).toBe(
    'All promised profit stays covered.',
  )
})
