import type { Fact } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { assertZeroSum } from './running-balances.ts'

const FACT: Fact = { type: 'CurrencyChosen', data: { asset: 'EUR/2' } }
const MIXED = [
  { account: 'cash:bank', amountMinor: -5n },
  { account: 'reserve@EUR/2', amountMinor: 5n },
]

test('the postings of an event add up to zero in each asset', () => {
  const back = [
    { account: 'reserve', amountMinor: 5n },
    { account: 'cash:bank@EUR/2', amountMinor: -5n },
  ]
  expect(() => assertZeroSum(FACT, [])).not.toThrow()
  expect(() => assertZeroSum(FACT, [...MIXED, ...back])).not.toThrow()
  expect(() => assertZeroSum(FACT, MIXED)).toThrow('the postings add up to -5, not to zero')
  expect(() => assertZeroSum(FACT, [...MIXED, ...back.slice(0, 1)])).toThrow(
    'the postings in EUR/2 add up to 5, not to zero',
  )
})

test('sabotaged twin: a sum over all assets does not see an exchange without a counterpart', () => {
  expect(MIXED.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(0n)
})
