import { expect, test } from 'vitest'

import {
  describePurpose,
  describeRequest,
  getPurposeLabel,
  getStatusWord,
  getTransactionTitle,
  isCancellable,
} from './transaction-labels.ts'

test('a pending adjustment has its own label, and its owner cannot cancel it', () => {
  const adjustment = {
    type: 'transfer',
    purpose: 'adjustment',
    investmentId: null,
    status: 'pending',
  } as const
  expect(getTransactionTitle(adjustment)).toBe('Adjustment')
  expect(getPurposeLabel(adjustment)).toBe('Correction by an administrator')
  expect(isCancellable(adjustment)).toBe(false)
})

test('a credit to a wallet says who made it', () => {
  const funding = { type: 'transfer', purpose: 'funding', investmentId: null } as const
  expect(describePurpose(funding)).toBe('Credited by an administrator')
})

test('a request is named by its owner and its amount', () => {
  const user = { id: 'i', _id: 'i', name: 'Ivy Morgan', email: 'i@x.example', photo: 'default.png' }
  expect(describeRequest({ user, amount: 2400 })).toBe('Ivy Morgan, $2,400.00')
  expect(describeRequest({ amount: 5 })).toBe('System, $5.00')
})

test('a pending request can be cancelled, a decided one cannot', () => {
  expect(isCancellable({ type: 'deposit', status: 'pending' })).toBe(true)
  expect(isCancellable({ type: 'withdrawal', status: 'pending' })).toBe(true)
  expect(isCancellable({ type: 'withdrawal', status: 'success' })).toBe(false)
})

test('a cancelled request is not called declined', () => {
  expect(getStatusWord({ status: 'declined', cancelledBy: null })).toBe('Declined')
  expect(getStatusWord({ status: 'declined', cancelledBy: 'i' })).toBe('Cancelled')
  expect(getStatusWord({ status: 'success', cancelledBy: null })).toBe('Completed')
})

test('a purchase is described by its plan, if the name is known', () => {
  const purchase = { type: 'transfer', purpose: 'purchase', investmentId: 'i' } as const
  expect(describePurpose(purchase, new Map([['i', 'Hourly']]))).toBe('Invested in Hourly')
  expect(describePurpose(purchase, new Map([['i', null]]))).toBe('Invested in a plan')
  expect(describePurpose(purchase)).toBe('Invested in a plan')
  const returned = { ...purchase, purpose: 'principal-return' } as const
  expect(describePurpose(returned, new Map([['i', 'Hourly']]))).toBe('Principal of Hourly returned')
  const deposit = { type: 'deposit', purpose: 'deposit', investmentId: null } as const
  expect(describePurpose(deposit, new Map())).toBe('Deposit')
})
