import { account } from '@cairn/ledger-contracts'
import { describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  type RuleBook,
} from '../../../test/support/rule-book.ts'

function request(book: RuleBook, investorId: string, amountMinor: bigint) {
  const transactionId = book.id()
  const data = {
    transactionId,
    investorId,
    source: 'balance',
    amountMinor,
    bankAccountId: 'bank',
    bankAccountSha256: 'b'.repeat(64),
  } as const
  return { transactionId, outcome: book.when('RequestWithdrawal', data) }
}

describe('a withdrawal', () => {
  test('holds the money from the request on, so that it cannot be spent twice', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    request(book, investorId, 3_000n).outcome.expectRecorded(
      'WithdrawalRequested',
      { source: 'balance' },
      { balance: -3_000n, 'held:balance': 3_000n },
    )
    request(book, investorId, 2_001n).outcome.expectRefused('INSUFFICIENT_FUNDS', {
      availableMinor: '2000',
    })
    request(book, investorId, 2_000n).outcome.expectRecorded('WithdrawalRequested', {})
    expect(book.balance(account.getAvailableCode(investorId, 'balance'))).toBe(0n)
  })

  test('pays out the amount less the fee', () => {
    const book = openRuleBook()
    book.when('SetMoneyRules', {
      rules: { ...plainRules, withdrawalFeePpm: 10_000 },
    })
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const { transactionId } = request(book, investorId, 5_000n)
    book
      .when('ApproveWithdrawal', {
        transactionId,
        paymentOptionId: 'bank',
        payoutReference: 'X1',
        bankAccountSha256: 'b'.repeat(64),
      })
      .expectRecorded(
        'WithdrawalApproved',
        { feeMinor: 50n, payoutReference: 'X1' },
        { 'held:balance': -5_000n, 'cash:bank': 4_950n, fees: 50n },
      )
  })

  test('declined or cancelled returns exactly the held amount', () => {
    for (const [type, status] of [
      ['DeclineWithdrawal', 'declined'],
      ['CancelWithdrawal', 'cancelled'],
    ] as const) {
      const book = openRuleBook()
      const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
      const { transactionId } = request(book, investorId, 4_000n)
      book.when(type, { transactionId, investorId, reason: null })
      expect(book.balance(account.getAvailableCode(investorId, 'balance'))).toBe(5_000n)
      expect(book.balance(account.getHeldCode(investorId, 'balance'))).toBe(0n)
      book
        .when('ApproveWithdrawal', {
          transactionId,
          paymentOptionId: null,
          payoutReference: null,
          bankAccountSha256: 'b'.repeat(64),
        })
        .expectRefused('TRANSACTION_DECIDED', { status })
    }
  })

  test('may be decided while the investor is suspended: the operator can always pay out', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const { transactionId } = request(book, investorId, 4_000n)
    book.when('SuspendInvestor', { investorId, standing: 'deactivated' })
    book
      .when('ApproveWithdrawal', {
        transactionId,
        paymentOptionId: null,
        payoutReference: null,
        bankAccountSha256: 'b'.repeat(64),
      })
      .expectRecorded('WithdrawalApproved', {})
  })

  test('paid or declined by mistake is reversed while the money is available', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const { transactionId } = request(book, investorId, 4_000n)
    const reverse = (to: 'success' | 'declined') =>
      book.when('ReverseWithdrawal', {
        transactionId,
        to,
        paymentOptionId: null,
        reason: 'bounced',
      })
    book.when('ApproveWithdrawal', {
      transactionId,
      paymentOptionId: 'bank',
      payoutReference: null,
      bankAccountSha256: 'b'.repeat(64),
    })
    reverse('declined').expectRecorded(
      'WithdrawalReversed',
      { to: 'declined' },
      { 'cash:bank': -4_000n, balance: 4_000n },
    )
    reverse('success').expectRecorded(
      'WithdrawalReversed',
      { to: 'success' },
      { 'cash:bank': 4_000n, balance: -4_000n },
    )
    reverse('declined').expectRecorded('WithdrawalReversed', {})
    request(book, investorId, 4_000n).outcome.expectRecorded('WithdrawalRequested', {})
    reverse('success').expectRefused('INSUFFICIENT_FUNDS', { availableMinor: '1000' })
  })

  test('cannot be reversed after its fee was moved to the reserve', () => {
    const book = openRuleBook()
    book.when('SetMoneyRules', { rules: { ...plainRules, withdrawalFeePpm: 10_000 } })
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const { transactionId } = request(book, investorId, 4_000n)
    const approval = {
      transactionId,
      paymentOptionId: 'bank',
      payoutReference: null,
      bankAccountSha256: 'b'.repeat(64),
    }
    book.when('ApproveWithdrawal', approval)
    book.when('SweepToReserve', { transactionId: book.id(), from: 'fees', amountMinor: 30n })
    const reversal = { transactionId, to: 'declined', paymentOptionId: null, reason: 'x' } as const
    book
      .when('ReverseWithdrawal', reversal)
      .expectRefused('INSUFFICIENT_FUNDS', { availableMinor: '10' })
  })

  test('cancelled by its owner cannot be reversed', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const { transactionId } = request(book, investorId, 4_000n)
    book.when('CancelWithdrawal', { transactionId, investorId })
    const reversal = { transactionId, to: 'success', paymentOptionId: null, reason: 'x' } as const
    book.when('ReverseWithdrawal', reversal).expectRefused('NOT_REVERSIBLE')
  })

  test('declined with any reason can be reversed, also with the text of a cancellation', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const { transactionId } = request(book, investorId, 4_000n)
    const decline = { transactionId, reason: 'cancelled_by_user' }
    book.when('DeclineWithdrawal', decline).expectRecorded('WithdrawalDeclined', {
      reason: decline.reason,
    })
    const reversal = { transactionId, to: 'success', paymentOptionId: null, reason: 'x' } as const
    book.when('ReverseWithdrawal', reversal).expectRecorded('WithdrawalReversed', { to: 'success' })
  })

  test('cannot be approved as a deposit', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const { transactionId } = request(book, investorId, 4_000n)
    book
      .when('ApproveDeposit', { transactionId, paymentOptionId: null, approvedMinor: 4_000n })
      .expectRefused('TRANSACTION_UNKNOWN')
  })
})
