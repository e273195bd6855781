import { expect, test } from 'vitest'

import { getCurrencyName, getCurrencyPrefix, listCurrencies } from './currency.ts'

test.each([
  ['USD', '$', 'US dollars'],
  ['EUR', '€', 'euros'],
  ['CAD', 'CA$', 'Canadian dollars'],
  ['CHF', 'CHF\u00a0', 'Swiss francs'],
])('%s is written before an amount and named', (currency, prefix, name) => {
  expect(getCurrencyPrefix(currency)).toBe(prefix)
  expect(getCurrencyName(currency)).toBe(name)
})

test('a currency without hundredths cannot be chosen', () => {
  expect(listCurrencies()).toEqual(expect.arrayContaining(['USD', 'EUR', 'GBP']))
  for (const currency of ['JPY', 'KWD']) expect(listCurrencies()).not.toContain(currency)
})
