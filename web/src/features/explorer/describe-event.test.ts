import { expect, test } from 'vitest'

import {
  describeAccount,
  describeActor,
  describeEvent,
  findLinkedRange,
  findStatedMinor,
  listLinks,
  readEventFilter,
} from './describe-event.ts'

test('event types are described in words', () => {
  expect(describeEvent('WithdrawalCancelled')).toBe('Withdrawal cancelled')
  expect(describeAccount('investor:01abc:held:profit')).toBe('Held profit')
  expect(describeAccount('investor:01abc:balance')).toBe('Balance')
  expect(describeAccount('cash:treasury')).toBe('Cash')
  expect(describeAccount('committed')).toBe('Promised profit')
  expect(describeActor('system:accruals', undefined)).toBe('The platform (accruals)')
  expect(describeActor('admin:01x', 'Ada')).toBe('Ada')
})

test('the amount of an event is the one that its data states', () => {
  const find = (type: string, data: Record<string, unknown>) => findStatedMinor({ type, data })
  expect(find('InvestmentOpened', { principalMinor: '48000', profitMinor: '480' })).toBe(48_000n)
  expect(find('DepositApproved', { amountMinor: '700', feeMinor: '7' })).toBe(700n)
  expect(find('AuditSealed', { count: '82' })).toBeNull()
  expect(find('DepositApproved', { amountMinor: '7.5' })).toBeNull()
  // These events can return less than the principal, and they can credit profit.
  expect(find('InvestmentMatured', { principalMinor: '48000' })).toBeNull()
  expect(find('InvestmentDenied', { principalMinor: '48000', returnedMinor: '1' })).toBeNull()
})

test('the URL contains only the filter', () => {
  const search = new URLSearchParams('type=DepositApproved&amount=%2010&before=5&user=')
  expect(readEventFilter(search)).toEqual({ type: 'DepositApproved', amount: '10' })
})

test('an event links to its subject', () => {
  expect(listLinks({ investorId: 'u', transactionId: 't', other: 1 })).toEqual([
    { label: 'The transaction', to: '/manage/admin/transactions?transaction=t' },
    { label: 'The user', to: '/manage/admin/users/u' },
  ])
  expect(listLinks({ bonusTo: 'r' })).toEqual([
    { label: 'The referrer', to: '/manage/admin/users/r' },
  ])
})

test('linked events follow each other', () => {
  expect(findLinkedRange('12', { index: 2, length: 3 })).toEqual({ first: '10', last: '12' })
  expect(findLinkedRange('0', { index: 0, length: 1 })).toEqual({ first: '0', last: '0' })
})

test('the filter finds an id of another system', () => {
  expect(readEventFilter(new URLSearchParams('externalId=INV 7&other=1'))).toEqual({
    externalId: 'INV 7',
  })
})
