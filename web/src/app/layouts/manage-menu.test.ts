import { expect, test } from 'vitest'
import { isMarkedOn } from './manage-menu.ts'

test('the menu marks the page that is shown or its parent, and no other page', () => {
  const transactions = '/manage/investor/transactions'
  expect(isMarkedOn(transactions, transactions)).toBe(true)
  expect(isMarkedOn('/manage/admin/users', '/manage/admin/users/7')).toBe(true)
  expect(isMarkedOn(transactions, '/manage/investor/deposit')).toBe(true)
  expect(isMarkedOn(transactions, '/manage/investor/withdrawal')).toBe(true)
  expect(isMarkedOn('/manage/investor/investments', '/manage/investor/deposit')).toBe(false)
  expect(isMarkedOn('/manage/admin/users', '/manage/admin/users-of-old')).toBe(false)
})
