import { expect, test } from 'vitest'
import { formatAssetAmount, formatMinorOf, getAsset } from './asset-text.ts'

test('an account or an asset has an asset, an account in the currency of the site has none', () => {
  expect(getAsset('cash:bank@EUR/2')).toBe('EUR/2')
  expect(getAsset('BTC/8')).toBe('BTC/8')
  expect(getAsset('cash:bank')).toBeNull()
})

test('amounts have the decimals of their asset', () => {
  expect(formatAssetAmount(-1250.5, 'reserve@EUR/2')).toBe('-1,250.50 EUR')
  expect(formatAssetAmount(0.00012345, 'BTC/8')).toBe('0.00012345 BTC')
  expect(formatAssetAmount(7, 'cash:x@JPY/0')).toBe('7 JPY')
  expect(formatAssetAmount(1, 'reserve')).toBeNull()
  expect(formatMinorOf('reserve@BTC/8', 12_345n)).toBe('0.00012345 BTC')
  expect(formatMinorOf('reserve', 12_345n)).toBe('$123.45')
})
