import { expect, test } from 'vitest'
import { comparePayments, findLongestGap } from './compare.ts'

const requested = new Set([1, 2, 3, 4])
const acknowledged = new Set([1, 2, 3])

test('a payment without an acknowledgement may be in the ledger once', () => {
  const nothing = { lost: [], doubled: [], foreign: [] }
  expect(comparePayments({ requested, acknowledged, stored: [3, 1, 2] })).toEqual(nothing)
  expect(comparePayments({ requested, acknowledged, stored: [1, 2, 3, 4] })).toEqual(nothing)
})

test('sabotaged twins: a lost, a doubled and a foreign payment are found', () => {
  expect(comparePayments({ requested, acknowledged, stored: [1, 1, 3, 4, 4, 9] })).toEqual({
    lost: [2],
    doubled: [1, 4],
    foreign: [9],
  })
})

test('the longest gap includes the time before the first and after the last acknowledgement', () => {
  expect(findLongestGap([110, 150, 140, 400], { fromMs: 100, toMs: 200 })).toBe(50)
  expect(findLongestGap([10, 160], { fromMs: 100, toMs: 200 })).toBe(60)
  expect(findLongestGap([], { fromMs: 100, toMs: 250 })).toBe(150)
})
