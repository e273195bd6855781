import { expect, test } from 'vitest'
import { toRateTerms } from './typed-terms.ts'

const TYPED = {
  percentage: ' 5.25 ',
  planDuration: '30',
  timingParameter: 'days',
  returnPrincipal: true,
} as const

test('typed terms are converted', () => {
  expect(toRateTerms(TYPED)).toEqual({
    profitPpm: 52_500n,
    duration: 30n,
    unit: 'days',
    returnPrincipal: true,
  })
})

test.each([
  { planDuration: '0' },
  { planDuration: '' },
  { percentage: '' },
  { percentage: '5.12345' },
])('incomplete terms have no rate: %o', (changed) => {
  expect(toRateTerms({ ...TYPED, ...changed })).toBeNull()
})
