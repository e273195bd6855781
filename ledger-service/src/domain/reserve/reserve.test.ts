import { describe, test } from 'vitest'
import { createActiveInvestor, openRuleBook, plainRules } from '../../../test/support/rule-book.ts'

describe('the reserve', () => {
  test('is funded and withdrawn by the operator, never below zero', () => {
    const book = openRuleBook()
    const createReserveData = (amountMinor: bigint) => ({
      transactionId: book.id(),
      amountMinor,
      note: null,
    })
    book
      .when('FundReserve', createReserveData(10_000n))
      .expectRecorded('ReserveFunded', {}, { 'cash:treasury': -10_000n, reserve: 10_000n })
    book
      .when('WithdrawReserve', createReserveData(4_000n))
      .expectRecorded('ReserveWithdrawn', {}, { 'cash:treasury': 4_000n, reserve: -4_000n })
    book
      .when('WithdrawReserve', createReserveData(6_001n))
      .expectRefused('INSUFFICIENT_FUNDS', { availableMinor: '6000' })
  })

  test('receives the fees and income of the operator, and no more', () => {
    const book = openRuleBook()
    const rules = { ...plainRules, withdrawalFeePpm: 10_000 }
    book.when('SetMoneyRules', { rules })
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const transactionId = book.id()
    const bank = { bankAccountId: 'bank', bankAccountSha256: 'b'.repeat(64) }
    const request = { transactionId, investorId, source: 'balance', amountMinor: 5_000n } as const
    book.when('RequestWithdrawal', { ...request, ...bank })
    book.when('ApproveWithdrawal', {
      transactionId,
      paymentOptionId: null,
      payoutReference: null,
      bankAccountSha256: 'b'.repeat(64),
    })
    const sweep = (amountMinor: bigint) =>
      book.when('SweepToReserve', { transactionId: book.id(), from: 'fees', amountMinor })
    sweep(51n).expectRefused('INSUFFICIENT_FUNDS', { availableMinor: '50' })
    sweep(50n).expectRecorded('SweptToReserve', {}, { fees: -50n, reserve: 50n })
  })
})
