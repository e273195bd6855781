import { expect, test } from 'vitest'
import { getAccountKind, getInvestorId, getTotalName } from './accounts.ts'
import { Asset } from './assets.ts'
import { addAsset, getAsset, removeAsset, sumByAsset } from './proof/asset-code.ts'

test('the code of an account contains its asset, unless it is the currency of the ledger', () => {
  const cash = addAsset('cash:bank', 'EUR/2')
  expect(cash).toBe('cash:bank@EUR/2')
  expect([getAsset(cash), removeAsset(cash)]).toEqual(['EUR/2', 'cash:bank'])
  expect([getAsset('cash:bank'), removeAsset('cash:bank')]).toEqual([null, 'cash:bank'])
})

test('the kind of an account has no asset, the name of its total has', () => {
  const account = addAsset('investor:01kjma3ccrn1b0xpqm09:held:profit', 'BTC/8')
  expect(getAccountKind(account)).toBe('held:profit')
  expect(getTotalName(account)).toBe('held:profit@BTC/8')
  expect(getTotalName('cash:bank')).toBe('cash')
  expect(getInvestorId(account)).toBe('01kjma3ccrn1b0xpqm09')
  expect(getInvestorId('reserve@EUR/2')).toBeNull()
})

test('each asset has a sum of its own', () => {
  const sums = sumByAsset([
    ['fees', 1n],
    ['fees@EUR/2', -1n],
    ['cash:bank', 2n],
  ])
  expect([...sums]).toEqual([
    [null, 3n],
    ['EUR/2', -1n],
  ])
})

test.each(['USD', 'usd/2', 'USD/19', 'USD/02', 'U/2', 'USD/2 '])('"%s" is not an asset', (text) => {
  expect(Asset.safeParse(text).success).toBe(false)
})
