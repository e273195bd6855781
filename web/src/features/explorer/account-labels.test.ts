import { expect, test } from 'vitest'
import { labelAccount } from './account-labels.ts'

const OPTIONS = [
  { id: '01bank', bank: 'First Harbor', accountNumber: '0123456789' },
  { id: '01coin', bank: 'USDT on Tron', accountNumber: 'TXa7' },
]

test('the label of a cash account names its payment option', () => {
  expect(labelAccount('cash:01bank', OPTIONS)).toBe('Cash: First Harbor, 0123456789')
  expect(labelAccount('cash:01coin', OPTIONS)).toBe('Cash: USDT on Tron, TXa7')
  expect(labelAccount('cash:treasury', OPTIONS)).toBe('Cash: Treasury')
  expect(labelAccount('cash:01bank@EUR/2', OPTIONS)).toBe('Cash (EUR): First Harbor, 0123456789')
})

test('other accounts, and cash accounts of unknown options, have a general label', () => {
  expect(labelAccount('cash:01gone', OPTIONS)).toBe('Cash')
  expect(labelAccount('investor:01bank:balance', OPTIONS)).toBe('Balance')
  expect(labelAccount('reserve', OPTIONS)).toBe('Reserve')
})
