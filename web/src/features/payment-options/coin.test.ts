import { expect, test } from 'vitest'
import { findCoin } from './coin.ts'

test.each([
  ['Bitcoin (demo)', 'BTC'],
  ['USDT on Tron (demo)', 'USDT'],
  ['Tron (TRC-20), USDT', 'TRX'],
  ['ERC-20, Ethereum', 'ETH'],
  ['Solution Network', null],
  ['', null],
])('the coin of %j is %s', (network, coin) => {
  expect(findCoin(network)).toBe(coin)
})
