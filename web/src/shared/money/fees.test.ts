import { describe, expect, test } from 'vitest'

import { computeQuote, findAmountRefusal, findGrossAmount } from './fees.ts'

test('a fee is taken from the amount, rounded half up', () => {
  // 2.5 % of 100.10 is 2.5025, which rounds to 2.50.
  expect(computeQuote(10_010n, 2.5)).toEqual({ amount: 10_010n, fee: 250n, net: 9_760n })
  expect(computeQuote(10_000n, 0)).toEqual({ amount: 10_000n, fee: 0n, net: 10_000n })
})

test.each([0, 0.1, 2.5, 10])(
  'the smallest amount for a net amount is found at a fee of %d%%',
  (fee) => {
    for (const net of [1n, 99n, 1_000n, 103_000n, 99_999_999n]) {
      const gross = findGrossAmount(net, fee)
      expect(computeQuote(gross, fee).net).toBe(net)
      expect(computeQuote(gross - 1n, fee).net).toBeLessThan(net)
    }
  },
)

describe('a typed amount', () => {
  const bounds = { min: 1_000n, max: 50_000n, noun: 'withdrawal' } as const
  test.each([
    ['', 'Enter an amount'],
    ['ten', 'Enter an amount with at most two decimals'],
    ['10.001', 'Enter an amount with at most two decimals'],
    ['9.99', 'Minimum withdrawal is $10'],
    ['500.01', 'You can withdraw up to $500 from this source'],
    ['500', null],
  ])('%j is answered', (typed, sentence) => {
    expect(findAmountRefusal(typed, bounds)).toBe(sentence)
  })
})
