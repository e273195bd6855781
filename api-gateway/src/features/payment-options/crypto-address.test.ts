import { describe, expect, test } from 'vitest'
import { findAddressRefusal, findNetwork } from './crypto-address.ts'

test('the network is found in its name, with or without a coin', () => {
  expect(findNetwork('Bitcoin (demo)')).toBe('bitcoin')
  expect(findNetwork('BTC')).toBe('bitcoin')
  expect(findNetwork('Bitcoin Cash')).toBeNull()
  expect(findNetwork('USDT on Tron')).toBe('tron')
  expect(findNetwork('USDT (TRC-20)')).toBe('tron')
  expect(findNetwork('USDC, ERC20')).toBe('ethereum')
  expect(findNetwork('Solana')).toBeNull()
})

// These addresses are examples from BIP 173, BIP 350 and EIP-55, or are well known.
const GOOD: Record<string, readonly string[]> = {
  Bitcoin: [
    '1BitcoinEaterAddressDontSendf59kuE',
    '1111111111111111111114oLvT2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  Ethereum: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ],
  Tron: ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
}
const BAD: Record<string, readonly string[]> = {
  Bitcoin: [
    '1BitcoinEaterAddressDontSendf59kuF',
    '1BitcoinEaterAddressDontSendf59ku0',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8F3t4',
    // The first address encodes a version above 0 with bech32. The second address encodes version 0
    // with bech32m.
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54well',
    'bc1gmk9yu',
    'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
    '0xde709f2102306220921060314715629080e2fb77',
    'x',
    '',
  ],
  Ethereum: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
    '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x1',
    '1BitcoinEaterAddressDontSendf59kuE',
  ],
  Tron: [
    'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwc',
    '1BitcoinEaterAddressDontSendf59kuE',
    '0xde709f2102306220921060314715629080e2fb77',
  ],
}

describe.each(Object.keys(GOOD))('an address of %s', (network) => {
  test.each([...(GOOD[network] ?? [])])('%s is accepted', (address) => {
    expect(findAddressRefusal(network, address)).toBeNull()
  })
  test.each([...(BAD[network] ?? [])])('%s is refused', (address) => {
    expect(findAddressRefusal(network, address)).toMatch(
      `This is not a valid ${network} address: its checksum is wrong.`,
    )
  })
})

test('an address with one wrong letter is refused', () => {
  for (const [network, address] of [
    ['Bitcoin', '1BitcoinEaterAddressDontSendf59kuE'],
    ['Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ] as const) {
    for (let place = 0; place < address.length; place += 1) {
      const letter = address[place] === 'a' ? 'b' : 'a'
      const changed = address.slice(0, place) + letter + address.slice(place + 1)
      expect({ changed, refusal: findAddressRefusal(network, changed) }).not.toMatchObject({
        refusal: null,
      })
    }
  }
})

test('every address of an unknown network is accepted', () => {
  expect(findAddressRefusal('Solana', 'anything')).toBeNull()
})
