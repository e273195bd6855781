import { expect, test } from 'vitest'
import { formatAmountOf, toAmountOf } from './asset-amount.ts'

test.each([
  ['cash:bank', -1_250n, '-12.50'],
  ['cash:bank', 0n, '0.00'],
  ['cash:bank@JPY/0', 1_250_000n, '1250000'],
  ['reserve@BTC/8', 12_345n, '0.00012345'],
  ['reserve@ETH/18', 1n, '0.000000000000000001'],
  ['reserve@ETH/18', 100_000_000_000_000_000n, '0.100000000000000000'],
])('an export shows %s with the digits of %i minor units', (code, minor, text) => {
  expect(formatAmountOf(code, toAmountOf(code, minor))).toBe(text)
})
