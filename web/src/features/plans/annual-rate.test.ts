import { expect, test } from 'vitest'

import { annualPercent } from './annual-rate.ts'

test('five percent in thirty days is sixty-one percent a year, rounded up', () => {
  const terms = { percentage: '5', planDuration: '30', timingParameter: 'days' } as const
  expect(annualPercent(terms)).toBe(61n)
  expect(annualPercent({ ...terms, percentage: '15', planDuration: '365' })).toBe(15n)
  expect(annualPercent({ ...terms, planDuration: '24', timingParameter: 'hours' })).toBe(1825n)
})

test('what is not a term has no rate', () => {
  const terms = { percentage: '5', planDuration: '0', timingParameter: 'days' } as const
  expect(annualPercent(terms)).toBeNull()
  expect(annualPercent({ ...terms, planDuration: '3', percentage: '' })).toBeNull()
})
