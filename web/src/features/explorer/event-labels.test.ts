import { expect, test } from 'vitest'

import { accountWords, actorWords, eventWords, filterOf, linksOf } from './event-labels.ts'

test('names of the log are told in words', () => {
  expect(eventWords('WithdrawalApprovalRecorded')).toBe('Withdrawal approval recorded')
  expect(accountWords('investor:01abc:held:profit')).toBe('Held profit')
  expect(accountWords('investor:01abc:balance')).toBe('Balance')
  expect(accountWords('cash:treasury')).toBe('Cash')
  expect(accountWords('committed')).toBe('Promised profit')
  expect(actorWords('system:accruals', undefined)).toBe('the platform (accruals)')
  expect(actorWords('admin:01x', 'Ada')).toBe('Ada')
})

test('the address names the filter and nothing else', () => {
  const search = new URLSearchParams('type=DepositApproved&amount=%2010&before=5&user=')
  expect(filterOf(search)).toEqual({ type: 'DepositApproved', amount: '10' })
})

test('an event leads to what it is about', () => {
  expect(linksOf({ investorId: 'u', transactionId: 't', other: 1 })).toEqual([
    { label: 'The transaction', to: '/manage/admin/transactions?transaction=t' },
    { label: 'The user', to: '/manage/admin/users/u' },
  ])
})
