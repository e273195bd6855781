import { expect, test } from 'vitest'

import { rootsOf } from './topics.ts'

test('what moved money makes balances, lists and charts old, each once', () => {
  expect(rootsOf(['transactions', 'investments'])).toEqual(['transactions', 'stats', 'investments'])
  expect(rootsOf(['balance'])).toContain('stats')
})

test('nothing is read again for nothing', () => {
  expect(rootsOf([])).toEqual([])
})
