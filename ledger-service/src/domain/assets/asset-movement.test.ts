import { describe, expect, test } from 'vitest'
import { openRuleBook, plainRules } from '../../../test/support/rule-book.ts'

const CASH_TO_RESERVE = { asset: 'EUR/2', from: 'cash:bank', to: 'reserve', note: null }
const RESERVE_TO_CASH = { asset: 'EUR/2', from: 'reserve', to: 'cash:bank', note: null }

describe('money in another asset', () => {
  test('moves between accounts of this asset, of which only cash becomes negative', () => {
    const book = openRuleBook()
    book
      .when('MoveAsset', { ...CASH_TO_RESERVE, amountMinor: 500n })
      .expectRecorded('AssetMoved', {}, { 'cash:bank@EUR/2': -500n, 'reserve@EUR/2': 500n })
    const back = { ...RESERVE_TO_CASH, amountMinor: 501n }
    book.when('MoveAsset', back).expectRefused('INSUFFICIENT_FUNDS', { availableMinor: '500' })
    book.when('MoveAsset', { ...back, asset: 'BTC/8' }).expectRefused('INSUFFICIENT_FUNDS')
    book.when('MoveAsset', { ...back, amountMinor: 500n }).expectRecorded('AssetMoved', {})
    expect(book.balance('reserve@EUR/2')).toBe(0n)
    expect(book.balance('reserve')).toBe(0n)
  })

  test('must differ from the currency of the ledger, and must move to another account', () => {
    const book = openRuleBook()
    const movement = { ...CASH_TO_RESERVE, amountMinor: 5n }
    book.when('MoveAsset', { ...movement, asset: 'USD/2' }).expectRefused('ASSET_INVALID')
    book.when('MoveAsset', { ...movement, to: 'cash:bank' }).expectRefused('ASSET_INVALID')
    book.when('ChooseCurrency', { asset: 'EUR/2' }).expectRecorded('CurrencyChosen', {})
    book.when('MoveAsset', movement).expectRefused('ASSET_INVALID')
    book.when('MoveAsset', { ...movement, asset: 'USD/2' }).expectRecorded('AssetMoved', {})
  })

  test('always needs two administrators once a threshold is set, at any amount', () => {
    const book = openRuleBook()
    const names = ['ada', 'bob', 'cyd']
    for (const approverId of names) book.when('AddApprover', { approverId }, 'system:server')
    book.advanceTime(24 * 3_600_000)
    const movement = { ...CASH_TO_RESERVE, amountMinor: 1n }
    book.when('MoveAsset', movement, 'admin:ada').expectRecorded('AssetMoved', {})
    const rules = { ...plainRules, approvalThresholdMinor: 1_000n }
    book.when('SetMoneyRules', { rules }, 'admin:ada').expectRecorded('MoneyRulesSet', {})
    book.when('MoveAsset', movement, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    book.approved('MoveAsset', movement, ['bob', 'cyd']).expectRecorded('AssetMoved', {})
  })

  test('does not count towards the threshold of the currency', () => {
    const book = openRuleBook()
    for (const approverId of ['ada', 'bob']) {
      book.when('AddApprover', { approverId }, 'system:server')
    }
    const movement = { ...CASH_TO_RESERVE, amountMinor: 5_000n }
    book.when('MoveAsset', movement, 'admin:ada').expectRecorded('AssetMoved', {})
    const rules = { ...plainRules, approvalThresholdMinor: 1_000n }
    book.when('SetMoneyRules', { rules }, 'admin:ada').expectRecorded('MoneyRulesSet', {})
    const fund = (amountMinor: bigint) =>
      book.when('FundReserve', { transactionId: book.id(), amountMinor, note: null }, 'admin:ada')
    fund(999n).expectRecorded('ReserveFunded', {})
    fund(1n).expectRefused('SECOND_APPROVER_NEEDED')
  })
})
