import { expect, test } from 'vitest'

import {
  describeAccount,
  describeActor,
  describeEvent,
  describeSubject,
  listLinks,
  readEventFilter,
} from './describe-event.ts'

test('event types are described in words', () => {
  expect(describeEvent('WithdrawalCancelled')).toBe('Withdrawal cancelled')
  expect(describeAccount('investor:01abc:held:profit')).toBe('Held profit')
  expect(describeAccount('investor:01abc:balance')).toBe('Balance')
  expect(describeAccount('cash:treasury')).toBe('Cash')
  expect(describeAccount('committed')).toBe('Promised profit')
  expect(describeActor('system:accruals', undefined)).toBe('the platform (accruals)')
  expect(describeActor('admin:01x', 'Ada')).toBe('Ada')
})

test('the subject of an event is the person and the object of its data', () => {
  const subject = { name: 'Kenji Watanabe' }
  const describeData = (data: Record<string, unknown>) => describeSubject({ data, subject })
  expect(describeData({ planName: 'Hourly' })).toBe('Kenji Watanabe, Hourly')
  expect(describeData({ source: 'profit' })).toBe('Kenji Watanabe, profit')
  expect(describeSubject({ data: { terms: { name: 'Elite' } } })).toBe('Elite')
  expect(describeSubject({ data: { count: '82' } })).toBe('82 audit rows')
  expect(describeSubject({ data: { source: '__proto__' } })).toBeNull()
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
})
