import { expect, test } from 'vitest'

import { computeAnnualPercent, isLossMaking } from './annual-rate.ts'

const FIVE_PERCENT = {
  percentage: '5',
  planDuration: '30',
  timingParameter: 'days',
  returnPrincipal: true,
} as const

test('five percent in thirty days is sixty-one percent a year, rounded up', () => {
  const terms = FIVE_PERCENT
  expect(computeAnnualPercent(terms)).toBe(61n)
  expect(computeAnnualPercent({ ...terms, percentage: '15', planDuration: '365' })).toBe(15n)
  expect(computeAnnualPercent({ ...terms, planDuration: '24', timingParameter: 'hours' })).toBe(
    1825n,
  )
})

test.each([
  ['100', 0n],
  ['105', 61n],
  ['90', -121n],
])('%s percent in place of the principal are %s percent a year', (percentage, annual) => {
  const terms = { ...FIVE_PERCENT, percentage, returnPrincipal: false }
  expect(computeAnnualPercent(terms)).toBe(annual)
})

test('an invalid term has no rate', () => {
  const terms = { ...FIVE_PERCENT, planDuration: '0' }
  expect(computeAnnualPercent(terms)).toBeNull()
  expect(computeAnnualPercent({ ...terms, planDuration: '3', percentage: '' })).toBeNull()
})

test.each([
  ['99.9999', false, true],
  ['100', false, false],
  ['3', true, false],
])(
  '%s percent loses money if the principal is returned: %s',
  (percentage, returnPrincipal, loses) => {
    expect(isLossMaking({ percentage, returnPrincipal })).toBe(loses)
  },
)
