import { account } from '@cairn/ledger-contracts'
import { describe, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  type RuleBook,
} from '../../../test/support/rule-book.ts'

const AMOUNT = 3_000n

function adjust(book: RuleBook, investorId: string, isCredit: boolean) {
  const change = { wallet: 'balance', amountMinor: AMOUNT, isCredit, reason: 'bank error' } as const
  return book.when('AdjustWallet', { transactionId: book.id(), investorId, ...change }, 'admin:ada')
}

describe('an adjustment', () => {
  test('moves its amount in either direction, against the adjustments account', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const credit = { adjustments: -AMOUNT, balance: AMOUNT }
    adjust(book, investorId, true).expectRecorded(
      'WalletAdjusted',
      { reason: 'bank error' },
      credit,
    )
    const debit = { adjustments: AMOUNT, balance: -AMOUNT }
    adjust(book, investorId, false).expectRecorded('WalletAdjusted', {}, debit)
  })

  test('takes no more than the wallet holds', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: AMOUNT - 1n })
    const details = { availableMinor: String(AMOUNT - 1n) }
    adjust(book, investorId, false).expectRefused('INSUFFICIENT_FUNDS', details)
  })

  test('of profit is paid from the reserve, like all profit', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 0n })
    const change = { wallet: 'profit', amountMinor: AMOUNT, isCredit: true, reason: 'x' } as const
    book
      .when('AdjustWallet', { transactionId: book.id(), investorId, ...change })
      .expectRecorded(
        'WalletAdjusted',
        {},
        { [account.getOperatorCode('reserve')]: -AMOUNT, profit: AMOUNT },
      )
  })

  test('is refused for a closed account and for an id in use', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 0n })
    book.when('CloseInvestor', { investorId })
    adjust(book, investorId, true).expectRefused('INVESTOR_UNKNOWN')
    const other = createActiveInvestor(book, { amountMinor: 0n })
    const data = { transactionId: book.id(), investorId: other, wallet: 'balance' as const }
    const twice = { ...data, amountMinor: AMOUNT, isCredit: true, reason: 'x' }
    book.when('AdjustWallet', twice).expectRecorded('WalletAdjusted', {})
    book.when('AdjustWallet', twice).expectRefused('ID_ALREADY_USED')
  })
})
