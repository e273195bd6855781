import { expect, test } from 'vitest'
import { formatAssetAmount, formatMinorOf, getAsset, sumByAsset } from './asset-text.ts'

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

test('amounts of an asset with many decimals keep each digit', () => {
  expect(formatAssetAmount(0.1, 'ETH/18')).toBe('0.100000000000000000 ETH')
  expect(formatMinorOf('ETH/18', 1_234_000_000_000_000_000_001n)).toBe(
    '1,234.000000000000000001 ETH',
  )
  expect(formatMinorOf('ETH/18', -1n)).toBe('-0.000000000000000001 ETH')
})

test('amounts are added up for each asset', () => {
  const rows = [
    { code: 'cash:bank', amount: -0.3 },
    { code: 'reserve', amount: 0.1 },
    { code: 'fees', amount: 0.2 },
    { code: 'cash:bank@EUR/2', amount: 0.3 },
    { code: 'BTC/8', amount: 0.00000001 },
  ]
  expect(sumByAsset(rows)).toEqual(
    new Map([
      [null, 0n],
      ['EUR/2', 30n],
      ['BTC/8', 1n],
    ]),
  )
})
