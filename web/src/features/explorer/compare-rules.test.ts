import { expect, test } from 'vitest'
import { listDetails } from '../audit-log/index.ts'
import { compareRules } from './compare-rules.ts'

const rules = { minimumDepositMinor: '1000', coolingOffHours: '0' }

test('an event of the money rules shows the old and the new value of the changed rules only', () => {
  const data = { version: '2', rules: { ...rules, minimumDepositMinor: '2500' } }
  const lines = listDetails(compareRules(data, { version: '1', rules }))
  expect(lines).toContainEqual({ name: 'Minimum deposit', before: '$10.00', after: '$25.00' })
  expect(lines.map(({ name }) => name)).toEqual(['Version', 'Minimum deposit'])
})

test('without earlier rules, all values are shown', () => {
  const data = { version: '1', rules }
  expect(compareRules(data, undefined)).toBe(data)
  expect(compareRules(data, { version: '0' })).toBe(data)
})
