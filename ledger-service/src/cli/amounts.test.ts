import { expect, test } from 'vitest'
import { formatAmountOf, formatTrialBalance, isBalanced } from './amounts.ts'

test.each([
  ['cash:bank', 'USD/2', -1_250n, '-12.50 USD'],
  ['cash:bank', 'JPY/0', 1_250n, '1250 JPY'],
  ['cash:bank@EUR/2', 'USD/2', 5n, '0.05 EUR'],
  ['reserve@ETH/18', 'USD/2', 1_000_000_000_000_000_001n, '1.000000000000000001 ETH'],
])('%s in a ledger of %s has the decimals of its asset', (code, currency, minor, text) => {
  expect(formatAmountOf(code, { minor, currency })).toBe(text)
})

test('a trial balance is grouped by asset, in the order of the chart', () => {
  const totals = new Map([
    ['reserve@EUR/2', 1_000n],
    ['adjustments', -12_500n],
    ['cash@BTC/8', -12_345n],
    ['cash@EUR/2', -1_000n],
    ['balance', 12_500n],
    ['reserve@BTC/8', 12_345n],
  ])
  expect(formatTrialBalance(totals, 'USD/2')).toEqual([
    'balance     125.00 USD',
    'adjustments -125.00 USD',
    'sum         0.00 USD',
    'cash        -0.00012345 BTC',
    'reserve     0.00012345 BTC',
    'sum         0.00000000 BTC',
    'cash        -10.00 EUR',
    'reserve     10.00 EUR',
    'sum         0.00 EUR',
  ])
})

test('a ledger without postings has a sum of zero in its currency', () => {
  expect(formatTrialBalance(new Map(), 'JPY/0')).toEqual(['sum 0 JPY'])
})

test('the sums of two assets do not compensate each other', () => {
  const totals = new Map([
    ['cash', -500n],
    ['cash@EUR/2', 500n],
  ])
  // If the assets were added up together, the sum would be zero.
  expect([...totals.values()].reduce((sum, minor) => sum + minor, 0n)).toBe(0n)
  expect(isBalanced(totals)).toBe(false)
  expect(isBalanced(new Map([...totals, ['reserve', 500n], ['reserve@EUR/2', -500n]]))).toBe(true)
})
