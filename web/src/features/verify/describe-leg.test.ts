import { expect, test } from 'vitest'
import { describeLeg } from './describe-leg.ts'

const describe = (account: string, ownerId: string | null, amountMinor = 100n) =>
  describeLeg({ account, amountMinor }, ownerId)

test('each account of a receipt has a name in plain words', () => {
  expect(describe('investor:me:balance', 'me')).toBe('Your Wallet Balance')
  expect(describe('investor:me:held:profit', 'me')).toBe('Your Investment Profit, held')
  expect(describe('investor:other:referral', 'me')).toBe('Another investor’s Referral Earnings')
  expect(describe('investor:me:principal', null)).toBe('The investor’s invested principal')
  expect(describe('committed', null)).toBe('The platform’s promised profit')
})

test('a cash account receives a debit and pays a credit', () => {
  expect(describe('cash:01abc@USDT/6', null, -100n)).toBe(
    'Received in the platform’s payment account',
  )
  expect(describe('cash:01abc', null, 100n)).toBe('Paid from the platform’s payment account')
  expect(describe('cash:treasury', null, -100n)).toBe('Received in the platform’s treasury')
})

test('an unknown account has no name', () => {
  for (const code of ['', 'suspense', 'investor', 'investor:me', 'investor:me:held', 'toString']) {
    expect(describe(code, 'me'), code).toBeNull()
  }
})
