import { expect, test } from 'vitest'

import { actionWords, detailLines } from './audit-words.ts'

test('an action is told in words', () => {
  expect(actionWords('transaction.approve')).toBe('Transaction: approve')
  expect(actionWords('user.force-reset')).toBe('User: force reset')
})

test('a change is told with what it replaced', () => {
  expect(
    detailLines({ minDeposit: { before: 10, after: 20 }, reason: 'why', list: ['a'], none: null }),
  ).toEqual([
    { name: 'minDeposit', before: '10', after: '20' },
    { name: 'reason', before: null, after: 'why' },
    { name: 'list', before: null, after: '["a"]' },
    { name: 'none', before: null, after: 'nothing' },
  ])
})

test('an amount in cents is told in dollars', () => {
  const details = { amountMinor: '240000', feeMinor: { before: 0, after: 1_050 } }
  expect(detailLines(details)).toEqual([
    { name: 'amount', before: null, after: '$2,400.00' },
    { name: 'fee', before: '$0.00', after: '$10.50' },
  ])
})
