import { describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  type RuleBook,
} from '../../../test/support/rule-book.ts'

const fees = { ...plainRules, depositFeePpm: 15_000, minimumDepositMinor: 2_500n }

function requestDeposit(book: RuleBook, amountMinor: bigint) {
  const investorId = createActiveInvestor(book, { amountMinor: 0n })
  const transactionId = book.id()
  const request = {
    transactionId,
    investorId,
    amountMinor,
    method: 'Bank Transfer',
    paymentOptionId: 'first-bank',
    receiptId: 'receipt',
    receiptSha256: 'a'.repeat(64),
  }
  return { investorId, transactionId, request, outcome: book.when('RequestDeposit', request) }
}

describe('a deposit', () => {
  test('moves no money before an administrator approves it', () => {
    const book = openRuleBook()
    requestDeposit(book, 10_000n).outcome.expectRecorded('DepositRequested', { feeMinor: 0n }, {})
  })

  test('credits the amount less the fee that was quoted at the request', () => {
    const book = openRuleBook()
    book.when('SetMoneyRules', { rules: fees })
    const { transactionId } = requestDeposit(book, 10_101n)
    // The fee is 1.5 % of 101.01, rounded half up. A change to the rules after the request does not
    // affect this fee.
    book.when('SetMoneyRules', { rules: { ...fees, depositFeePpm: 90_000 } })
    book
      .when('ApproveDeposit', { transactionId, paymentOptionId: null, approvedMinor: 10_101n })
      .expectRecorded(
        'DepositApproved',
        { feeMinor: 152n, cash: 'first-bank' },
        { 'cash:first-bank': -10_101n, balance: 9_949n, fees: 152n },
      )
  })

  test('below the minimum is refused with the minimum', () => {
    const book = openRuleBook()
    book.when('SetMoneyRules', { rules: fees })
    requestDeposit(book, 2_499n).outcome.expectRefused('AMOUNT_BELOW_MINIMUM', {
      minimumMinor: '2500',
    })
    requestDeposit(book, 2_500n).outcome.expectRecorded('DepositRequested', {})
  })

  test('of an investor who is not active is refused', () => {
    const book = openRuleBook()
    const { investorId, request } = requestDeposit(book, 10_000n)
    book.when('SuspendInvestor', { investorId, standing: 'denied' })
    const again = { ...request, transactionId: book.id() }
    book.when('RequestDeposit', again).expectRefused('INVESTOR_NOT_ACTIVE', { standing: 'denied' })
  })

  test('is decided once, and the second decision names the first', () => {
    const decisions = ['ApproveDeposit', 'DeclineDeposit', 'CancelDeposit'] as const
    const statuses = {
      ApproveDeposit: 'success',
      DeclineDeposit: 'declined',
      CancelDeposit: 'cancelled',
    }
    for (const first of decisions) {
      for (const second of decisions) {
        const book = openRuleBook()
        const { transactionId, investorId } = requestDeposit(book, 10_000n)
        const decide = (type: (typeof decisions)[number]) => {
          const rest = { paymentOptionId: null, approvedMinor: 10_000n, reason: null }
          const data = { transactionId, investorId, ...rest }
          return book.when(type, data, 'admin:ada')
        }
        expect('refusal' in decide(first).decision).toBe(false)
        decide(second).expectRefused('TRANSACTION_DECIDED', {
          decidedBy: 'admin:ada',
          status: statuses[first],
        })
      }
    }
  })

  test('credits the amount that arrived at the quoted rate, also if it differs', () => {
    const book = openRuleBook()
    book.when('SetMoneyRules', { rules: fees })
    const { transactionId } = requestDeposit(book, 10_000n)
    // The fee is 1.5 % of 80.00.
    book
      .when('ApproveDeposit', { transactionId, paymentOptionId: null, approvedMinor: 8_000n })
      .expectRecorded(
        'DepositApproved',
        { requestedMinor: 10_000n, amountMinor: 8_000n, feeMinor: 120n },
        { 'cash:first-bank': -8_000n, balance: 7_880n, fees: 120n },
      )
  })

  test('approved by mistake is reversed by new postings while the wallet holds the money', () => {
    const book = openRuleBook()
    book.when('SetMoneyRules', { rules: fees })
    const { transactionId, investorId } = requestDeposit(book, 10_000n)
    const reverse = (to: 'success' | 'declined') =>
      book.when('ReverseDeposit', { transactionId, to, paymentOptionId: null, reason: 'fake' })
    reverse('declined').expectRefused('NOT_REVERSIBLE')
    book.when('ApproveDeposit', { transactionId, paymentOptionId: null, approvedMinor: 10_000n })
    reverse('success').expectRefused('NOT_REVERSIBLE', { status: 'success' })
    reverse('declined').expectRecorded(
      'DepositReversed',
      { to: 'declined' },
      { 'cash:first-bank': 10_000n, balance: -9_850n, fees: -150n },
    )
    reverse('success').expectRecorded(
      'DepositReversed',
      { to: 'success' },
      {
        'cash:first-bank': -10_000n,
        balance: 9_850n,
        fees: 150n,
      },
    )
    book.when('RequestWithdrawal', {
      transactionId: book.id(),
      investorId,
      source: 'balance',
      amountMinor: 1_000n,
      bankAccountId: 'bank',
      bankAccountSha256: 'b'.repeat(64),
    })
    reverse('declined').expectRefused('INSUFFICIENT_FUNDS', { availableMinor: '8850' })
  })

  test('cannot be reversed after the investor has closed the account', () => {
    const book = openRuleBook()
    const { transactionId, investorId } = requestDeposit(book, 10_000n)
    book.when('DeclineDeposit', { transactionId, reason: 'no such transfer' })
    book.when('CloseInvestor', { investorId }).expectRecorded('InvestorClosed', {})
    const to = 'success'
    book
      .when('ReverseDeposit', { transactionId, to, paymentOptionId: null, reason: 'it came' })
      .expectRefused('INVESTOR_UNKNOWN')
  })

  test('declined with any reason can be reversed, also with the text of a cancellation', () => {
    const book = openRuleBook()
    const { transactionId } = requestDeposit(book, 10_000n)
    const decline = { transactionId, reason: 'cancelled_by_user' }
    book
      .when('DeclineDeposit', decline)
      .expectRecorded('DepositDeclined', { reason: decline.reason })
    const reversal = { transactionId, to: 'success', paymentOptionId: null, reason: 'x' } as const
    book.when('ReverseDeposit', reversal).expectRecorded('DepositReversed', { to: 'success' })
  })

  test('that its owner cancelled is not credited by a reversal', () => {
    const book = openRuleBook()
    const { transactionId, investorId } = requestDeposit(book, 10_000n)
    book.when('CancelDeposit', { transactionId, investorId }).expectRecorded('DepositCancelled', {})
    for (const to of ['success', 'declined'] as const) {
      book
        .when('ReverseDeposit', { transactionId, to, paymentOptionId: null, reason: 'x' })
        .expectRefused('NOT_REVERSIBLE')
    }
  })

  test('is cancelled by its owner only', () => {
    const book = openRuleBook()
    const { transactionId } = requestDeposit(book, 10_000n)
    book.when('CancelDeposit', { transactionId, investorId: book.id() }).expectRefused('NOT_YOURS')
  })
})
