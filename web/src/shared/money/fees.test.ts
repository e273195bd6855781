import { describe, expect, test } from 'vitest'

import { computeQuote, findAmountRefusal } from './fees.ts'

test('a fee is taken from the amount, rounded half up', () => {
  // 2.5 % of 100.10 is 2.5025, which rounds to 2.50.
  expect(computeQuote(10_010n, 2.5)).toEqual({ amount: 10_010n, fee: 250n, net: 9_760n })
  expect(computeQuote(10_000n, 0)).toEqual({ amount: 10_000n, fee: 0n, net: 10_000n })
})

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
