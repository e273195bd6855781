import { expect, test } from 'vitest'

import { rootsOf } from './topics.ts'

test('what moved money makes balances, lists and charts old, each once', () => {
  expect(rootsOf(['transactions', 'investments'])).toEqual(['transactions', 'stats', 'investments'])
  expect(rootsOf(['balance'])).toContain('stats')
})

test('a movement of the reserve that waits makes its list old for other administrators', () => {
  expect(rootsOf(['queue'])).toContain('reserve')
})

test('nothing is read again for nothing', () => {
  expect(rootsOf([])).toEqual([])
})
