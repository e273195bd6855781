import { describe, test } from 'vitest'
import {
  activeInvestorWith,
  openRuleBook,
  plainRules,
  type RuleBook,
} from '../../../test/support/rule-book.ts'

function propose(book: RuleBook, investorId: string, isCredit: boolean) {
  const transactionId = book.id()
  const change = { wallet: 'balance', amountMinor: 3_000n, isCredit, reason: 'bank error' } as const
  const data = { transactionId, investorId, ...change }
  return { transactionId, outcome: book.when('ProposeAdjustment', data, 'admin:ada') }
}

describe('an adjustment', () => {
  test('moves nothing when proposed and its amount when applied, either way', () => {
    const book = openRuleBook()
    const investorId = activeInvestorWith(book, { amountMinor: 5_000n })
    const credit = propose(book, investorId, true)
    credit.outcome.records('AdjustmentProposed', {}, {})
    const { transactionId } = credit
    book
      .when('ApplyAdjustment', { transactionId }, 'admin:ada')
      .records('AdjustmentApplied', {}, { adjustments: -3_000n, balance: 3_000n })
    book.when('ApplyAdjustment', { transactionId }).refuses('TRANSACTION_DECIDED')
    const debit = propose(book, investorId, false)
    book
      .when('ApplyAdjustment', { transactionId: debit.transactionId })
      .records('AdjustmentApplied', {}, { adjustments: 3_000n, balance: -3_000n })
  })

  test('takes no more than the wallet holds', () => {
    const book = openRuleBook()
    const investorId = activeInvestorWith(book, { amountMinor: 2_999n })
    const { transactionId } = propose(book, investorId, false)
    book
      .when('ApplyAdjustment', { transactionId })
      .refuses('INSUFFICIENT_FUNDS', { availableMinor: '2999' })
  })

  test('from the threshold on is applied by another than who proposed it', () => {
    const book = openRuleBook()
    book.when('SetMoneyRules', { rules: { ...plainRules, approvalThresholdMinor: 3_000n } })
    const investorId = activeInvestorWith(book, { amountMinor: 0n })
    const { transactionId } = propose(book, investorId, true)
    book.when('ApplyAdjustment', { transactionId }, 'admin:ada').refuses('SECOND_APPROVER_NEEDED')
    book.when('ApplyAdjustment', { transactionId }, 'admin:bob').records('AdjustmentApplied', {})
  })

  test('rejected stays in the history and moves nothing', () => {
    const book = openRuleBook()
    const investorId = activeInvestorWith(book, { amountMinor: 0n })
    const { transactionId } = propose(book, investorId, true)
    book
      .when('RejectAdjustment', { transactionId, reason: 'not so' })
      .records('AdjustmentRejected', { reason: 'not so' }, {})
    book.when('ApplyAdjustment', { transactionId }).refuses('TRANSACTION_DECIDED')
  })
})
