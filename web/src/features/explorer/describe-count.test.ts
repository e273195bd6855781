import { expect, test } from 'vitest'
import { describeCount } from './describe-count.ts'

test('the number of results is complete only after the whole search', () => {
  const found = { shown: 50, isFiltered: true, size: '1567' }
  expect(describeCount({ ...found, isComplete: false })).toBe(
    '50 found so far, 1,567 in the ledger',
  )
  expect(describeCount({ ...found, isComplete: true })).toBe('50 found, 1,567 in the ledger')
  const all = { shown: 50, isComplete: false, isFiltered: false, size: '1567' }
  expect(describeCount(all)).toBe('1,567 in the ledger, numbered from 0')
})
