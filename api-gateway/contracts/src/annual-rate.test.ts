import { expect, test } from 'vitest'
import { computeAnnualPercent, isLossMaking, type RateTerms } from './annual-rate.ts'

const FIVE_PERCENT: RateTerms = {
  profitPpm: 50_000,
  duration: 30,
  unit: 'days',
  returnPrincipal: true,
}

test.each([
  [{}, 61n],
  [{ profitPpm: 150_000n, duration: 365n }, 15n],
  [{ duration: 24, unit: 'hours' as const }, 1_825n],
  [{ returnPrincipal: false, profitPpm: 1_000_000 }, 0n],
  [{ returnPrincipal: false, profitPpm: 1_050_000 }, 61n],
  [{ returnPrincipal: false, profitPpm: 900_000 }, -121n],
])('five percent in thirty days, changed by %o: %d percent a year', (changed, annual) => {
  expect(computeAnnualPercent({ ...FIVE_PERCENT, ...changed })).toBe(annual)
})

test.each([
  [999_999, false, true],
  [1_000_000, false, false],
  [30_000, true, false],
])('%d millionths, principal returned %s: loses %s', (profitPpm, returnPrincipal, loses) => {
  expect(isLossMaking({ profitPpm, returnPrincipal })).toBe(loses)
})
