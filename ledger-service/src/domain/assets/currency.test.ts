import { describe, test } from 'vitest'
import { openRuleBook } from '../../../test/support/rule-book.ts'

describe('the currency of the ledger', () => {
  test('is USD/2 until another currency is chosen, which is possible more than once', () => {
    const book = openRuleBook()
    book
      .when('ChooseCurrency', { asset: 'USD/2' })
      .expectRecorded('CurrencyChosen', { asset: 'USD/2' })
    book.when('ChooseCurrency', { asset: 'USD/2' }).expectRefused('CURRENCY_UNCHANGED')
    book
      .when('ChooseCurrency', { asset: 'EUR/2' })
      .expectRecorded('CurrencyChosen', { asset: 'EUR/2' })
    book.when('ChooseCurrency', { asset: 'EUR/2' }).expectRefused('CURRENCY_UNCHANGED')
    book
      .when('ChooseCurrency', { asset: 'CHF/2' })
      .expectRecorded('CurrencyChosen', { asset: 'CHF/2' })
  })

  test('is fixed once money has moved in it', () => {
    const book = openRuleBook()
    const gift = { transactionId: book.id(), amountMinor: 1n, note: null }
    book.when('FundReserve', gift).expectRecorded('ReserveFunded', {})
    book.when('ChooseCurrency', { asset: 'EUR/2' }).expectRefused('CURRENCY_FIXED')
  })

  test('cannot be an asset in which money has moved', () => {
    const book = openRuleBook()
    const movement = { from: 'cash:bank', to: 'reserve', amountMinor: 1n, note: null }
    book.when('MoveAsset', { asset: 'EUR/2', ...movement }).expectRecorded('AssetMoved', {})
    book.when('ChooseCurrency', { asset: 'EUR/2' }).expectRefused('CURRENCY_FIXED')
    book
      .when('ChooseCurrency', { asset: 'CHF/2' })
      .expectRecorded('CurrencyChosen', { asset: 'CHF/2' })
  })
})
