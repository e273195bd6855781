import { expect, test } from 'vitest'

import { getPurposeLabel, getTransactionTitle, isCancellable } from './transaction-labels.ts'

test('a pending adjustment has its own label, and its owner cannot cancel it', () => {
  const adjustment = { type: 'transfer', purpose: 'adjustment', status: 'pending' } as const
  expect(getTransactionTitle(adjustment)).toBe('Adjustment')
  expect(getPurposeLabel(adjustment)).toBe('Correction by an administrator')
  expect(isCancellable(adjustment)).toBe(false)
})

test('a pending request can be cancelled, a decided one cannot', () => {
  expect(isCancellable({ type: 'deposit', status: 'pending' })).toBe(true)
  expect(isCancellable({ type: 'withdrawal', status: 'pending' })).toBe(true)
  expect(isCancellable({ type: 'withdrawal', status: 'success' })).toBe(false)
})
