import { expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  type RuleBook,
} from '../../../test/support/rule-book.ts'
import type { Model } from '../../log/model.ts'
import { model } from '../model.ts'
import { transactionTable } from '../transactions/transaction.ts'

const HOUR_MS = 3_600_000
const ADA = 'admin:ada'

type Dormant = { investorId: string; book: RuleBook }

/** Opens a book with three approvers, dual control, and an investor who is no longer active. */
function openBookWithInactiveInvestor(played: Model = model): Dormant {
  const book = openRuleBook(played)
  // The investor is funded before the approvers are added, because funding would then need two
  // approvals.
  const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
  for (const approverId of ['ada', 'bob', 'cyd']) {
    book.when('AddApprover', { approverId }, 'system:server')
  }
  book.advanceTime(24 * HOUR_MS)
  const rules = {
    ...plainRules,
    minimumWithdrawalMinor: 2_000n,
    dailyWithdrawalLimitMinor: 3_000n,
    approvalThresholdMinor: 1_000_000n,
  }
  book.when('SetMoneyRules', { rules }, ADA)
  book.when('SuspendInvestor', { investorId, standing: 'deactivated' })
  return { book, investorId }
}

function request({ book, investorId }: Dormant, amountMinor: bigint, actor: string) {
  const transactionId = book.id()
  const bank = { bankAccountId: 'bank', bankAccountSha256: 'b'.repeat(64) }
  const data = { transactionId, investorId, source: 'balance', amountMinor, ...bank } as const
  return { transactionId, outcome: book.when('RequestWithdrawal', data, actor) }
}

const createApproval = (transactionId: string) => ({
  transactionId,
  paymentOptionId: 'bank',
  payoutReference: null,
  bankAccountSha256: 'b'.repeat(64),
})

test('an administrator requests the payout of an account that is not active, and no one else', () => {
  const dormant = openBookWithInactiveInvestor()
  for (const actor of [`user:${dormant.investorId}`, 'system:credential-hold']) {
    request(dormant, 1_000n, actor).outcome.expectRefused('INVESTOR_NOT_ACTIVE', {
      standing: 'deactivated',
    })
  }
  request(dormant, 1_000n, ADA).outcome.expectRecorded(
    'WithdrawalRequested',
    {},
    { balance: -1_000n, 'held:balance': 1_000n },
  )
})

test('the whole balance is paid: minimum and limits do not apply, the balance does', () => {
  const dormant = openBookWithInactiveInvestor()
  request(dormant, 5_001n, ADA).outcome.expectRefused('INSUFFICIENT_FUNDS', {
    availableMinor: '5000',
  })
  request(dormant, 4_900n, ADA).outcome.expectRecorded('WithdrawalRequested', {})
  request(dormant, 100n, ADA).outcome.expectRecorded('WithdrawalRequested', {})
})

test('it needs two administrators at any amount', () => {
  const dormant = openBookWithInactiveInvestor()
  const { book } = dormant
  const { transactionId } = request(dormant, 100n, ADA)
  const approval = createApproval(transactionId)
  expect(book.cache.find(transactionTable, transactionId)?.holdReason).toMatch(/not active/)
  book.when('ApproveWithdrawal', approval, ADA).expectRefused('SECOND_APPROVER_NEEDED')
  book.when('ApproveWithdrawal', approval, 'admin:bob').expectRefused('SECOND_APPROVER_NEEDED')
  book
    .approved('ApproveWithdrawal', approval, ['ada', 'bob'])
    .expectRecorded('WithdrawalApproved', {})
})

test('a withdrawal of an active investor is on hold only for other reasons', () => {
  const dormant = openBookWithInactiveInvestor()
  const { book, investorId } = dormant
  book.when('ActivateInvestor', { investorId, referrerId: null })
  request(dormant, 2_000n, ADA).outcome.expectRefused('STANDING_CONFLICT', {})
  const { transactionId } = request(dormant, 2_000n, `user:${investorId}`)
  expect(book.cache.find(transactionTable, transactionId)?.holdReason).toBeNull()
  book
    .when('ApproveWithdrawal', createApproval(transactionId), ADA)
    .expectRecorded('WithdrawalApproved', {})
})

test('sabotaged twin: without the hold, one administrator pays an inactive account alone', () => {
  const dormant = openBookWithInactiveInvestor({
    ...model,
    evolve: (event, view) => {
      model.evolve(event, view)
      if (event.fact.type !== 'WithdrawalRequested') return
      const row = view.find(transactionTable, event.fact.data.transactionId)
      if (row !== null) view.put(transactionTable, { ...row, holdReason: null })
    },
  })
  const { transactionId } = request(dormant, 100n, ADA)
  dormant.book
    .when('ApproveWithdrawal', createApproval(transactionId), ADA)
    .expectRecorded('WithdrawalApproved', {})
})
