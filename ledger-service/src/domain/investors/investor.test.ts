import { describe, expect, test } from 'vitest'
import { createActiveInvestor, openRuleBook, starterPlan } from '../../../test/support/rule-book.ts'

const gift = { wallet: 'balance', category: null, reason: null } as const

test('an investor that the ledger does not know gets no money and is not closed', () => {
  const book = openRuleBook()
  const investorId = book.id()
  const money = { transactionId: book.id(), investorId, amountMinor: 100n }
  book.when('FundWallet', { ...money, ...gift }).expectRefused('INVESTOR_UNKNOWN')
  book.when('CloseInvestor', { investorId }).expectRefused('INVESTOR_UNKNOWN')
  expect(book.events()).toEqual([])
})

describe('closing an account', () => {
  test('is refused while a wallet has money', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 1n })
    book.when('CloseInvestor', { investorId }).expectRefused('INVESTOR_NOT_EMPTY')
  })

  test('is refused while a deposit waits for a decision', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 0n })
    book
      .when('RequestDeposit', {
        transactionId: book.id(),
        investorId,
        amountMinor: 10_000n,
        method: 'Bank Transfer',
        receiptId: 'r',
        receiptSha256: 'a'.repeat(64),
        paymentOptionId: 'bank',
      })
      .expectRecorded('DepositRequested', { investorId })
    book.when('CloseInvestor', { investorId }).expectRefused('INVESTOR_NOT_EMPTY')
  })

  test('is refused while an investment is active, although the wallets are empty', () => {
    const book = openRuleBook()
    const planId = book.id()
    book.when('DefinePlan', { planId, terms: starterPlan })
    const investorId = createActiveInvestor(book, { amountMinor: 10_000n })
    book
      .when('OpenInvestment', {
        investmentId: book.id(),
        planVersion: null,
        planId,
        investorId,
        amountMinor: 10_000n,
      })
      .expectRecorded('InvestmentOpened', { investorId })
    book.when('CloseInvestor', { investorId }).expectRefused('INVESTOR_NOT_EMPTY')
  })

  test('is recorded once for an empty account', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 0n })
    book.when('CloseInvestor', { investorId }).expectRecorded('InvestorClosed', { investorId })
    const again = book.when('CloseInvestor', { investorId })
    again.expectRefused('STANDING_CONFLICT', { standing: 'closed' })
  })
})
