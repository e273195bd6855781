import { expect, test } from 'vitest'
import { describeLeg } from './describe-leg.ts'

test('each account of a receipt has a name in plain words', () => {
  expect(describeLeg('investor:me:balance', 'me')).toBe('Your Wallet Balance')
  expect(describeLeg('investor:me:held:profit', 'me')).toBe('Your Investment Profit, held')
  expect(describeLeg('investor:other:referral', 'me')).toBe('Another investor’s Referral Earnings')
  expect(describeLeg('investor:me:principal', null)).toBe('The investor’s invested principal')
  expect(describeLeg('cash:01abc@USDT/6', null)).toBe('The platform’s payment account')
  expect(describeLeg('committed', null)).toBe('The platform’s promised profit')
})

test('an unknown account has no name', () => {
  for (const code of ['', 'suspense', 'investor', 'investor:me', 'investor:me:held', 'toString']) {
    expect(describeLeg(code, 'me'), code).toBeNull()
  }
})
