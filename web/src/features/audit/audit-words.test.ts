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
    { name: 'Min deposit', before: '10', after: '20' },
    { name: 'Reason', before: null, after: 'why' },
    { name: 'List', before: null, after: '["a"]' },
    { name: 'None', before: null, after: 'nothing' },
  ])
})

test('an amount in cents is told in dollars, a share in percent', () => {
  const details = {
    amountMinor: '240000',
    feeMinor: { before: 0, after: 1_050 },
    profitPpm: 400_000,
  }
  expect(detailLines(details)).toEqual([
    { name: 'Amount', before: null, after: '$2,400.00' },
    { name: 'Fee', before: '$0.00', after: '$10.50' },
    { name: 'Profit', before: null, after: '40%' },
  ])
})
