import type { CommandType, DataOf } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  type RuleBook,
} from '../../../test/support/rule-book.ts'
import type { Model } from '../../log/model.ts'
import { investorTable } from '../investors/investor.ts'
import { model } from '../model.ts'
import { PENDING_MAX } from './request.ts'

const WITHDRAWALS = 10

function createDeposit(book: RuleBook, investorId: string): DataOf<'RequestDeposit'> {
  const receipt = { receiptId: 'receipt', receiptSha256: 'a'.repeat(64) }
  const method = { method: 'Bank Transfer', paymentOptionId: null }
  return { transactionId: book.id(), investorId, amountMinor: 5_000n, ...method, ...receipt }
}

function createWithdrawal(book: RuleBook, investorId: string): DataOf<'RequestWithdrawal'> {
  const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
  const source = 'balance' as const
  return { transactionId: book.id(), investorId, amountMinor: 5_000n, source, ...bank }
}

/**
 * Creates an investor who has the maximum number of pending requests. The first request is a
 * deposit.
 */
function createInvestorWithMaximumPending(book: RuleBook) {
  const investorId = createActiveInvestor(book, { amountMinor: 1_000_000n })
  const first = createDeposit(book, investorId)
  book.when('RequestDeposit', first).expectRecorded('DepositRequested', {})
  for (let made = 1; made < PENDING_MAX; made += 1) {
    const outcome =
      made > WITHDRAWALS
        ? book.when('RequestDeposit', createDeposit(book, investorId))
        : book.when('RequestWithdrawal', createWithdrawal(book, investorId))
    expect(outcome.decision).not.toHaveProperty('refusal')
  }
  return { investorId, first: first.transactionId }
}

test('an investor has at most fifty pending deposits and withdrawals together', () => {
  const book = openRuleBook()
  const { investorId } = createInvestorWithMaximumPending(book)
  const refusal = ['TOO_MANY_PENDING', { pendingMax: '50' }] as const
  book.when('RequestDeposit', createDeposit(book, investorId)).expectRefused(...refusal)
  book.when('RequestWithdrawal', createWithdrawal(book, investorId)).expectRefused(...refusal)
  const other = createActiveInvestor(book, { amountMinor: 0n })
  book.when('RequestDeposit', createDeposit(book, other)).expectRecorded('DepositRequested', {})
})

test.each(['approved', 'declined', 'cancelled'])(
  'a request that is %s makes room for one new request',
  (how) => {
    const book = openRuleBook()
    const { investorId, first: transactionId } = createInvestorWithMaximumPending(book)
    const options = { paymentOptionId: null, approvedMinor: 1_000n }
    if (how === 'approved') book.when('ApproveDeposit', { transactionId, ...options })
    else if (how === 'declined') book.when('DeclineDeposit', { transactionId, reason: null })
    else book.when('CancelDeposit', { transactionId, investorId })
    book
      .when('RequestDeposit', createDeposit(book, investorId))
      .expectRecorded('DepositRequested', {})
    book.when('RequestDeposit', createDeposit(book, investorId)).expectRefused('TOO_MANY_PENDING')
  },
)

/**
 * Sabotaged twin: the model does not count the pending requests of an investor, so it accepts a
 * request beyond the maximum.
 */
const forgetful: Model = {
  ...model,
  decide: (command, view, context) => {
    const { investorId } = command.data as { investorId?: string }
    const asksFor: readonly CommandType[] = ['RequestDeposit', 'RequestWithdrawal']
    const found =
      investorId !== undefined && asksFor.includes(command.type)
        ? view.find(investorTable, investorId)
        : null
    if (found !== null) view.put(investorTable, { ...found, pendingCount: 0 })
    return model.decide(command, view, context)
  },
}

test('sabotaged twin: if requests are not counted, the next one is accepted', () => {
  const book = openRuleBook(forgetful)
  const { investorId } = createInvestorWithMaximumPending(book)
  const { decision } = book.when('RequestDeposit', createDeposit(book, investorId))
  expect(decision).not.toHaveProperty('refusal')
})
