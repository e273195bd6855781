import type { Approval, DataOf } from '@cairn/ledger-contracts'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  type RuleBook,
  starterPlan,
} from '../../../test/support/rule-book.ts'

const HOUR_MS = 3_600_000
const THRESHOLD = 10_000n
const SERVER = 'system:server'
const reason = 'a reason'

let book: RuleBook
beforeEach(() => {
  book = openRuleBook()
})

/** Sets the threshold after Ada, Bob and Cyd have been approvers for a day. */
function requireTwoApprovers(approvalThresholdMinor: bigint | null = THRESHOLD): void {
  for (const approverId of ['ada', 'bob', 'cyd']) book.when('AddApprover', { approverId }, SERVER)
  book.advanceTime(24 * HOUR_MS)
  book.when('SetMoneyRules', { rules: { ...plainRules, approvalThresholdMinor } }, 'admin:ada')
}

function createReserveData(amountMinor: bigint): DataOf<'FundReserve'> {
  return { transactionId: book.id(), amountMinor, note: null }
}

function fund(amountMinor: bigint, actor: string) {
  return book.when('FundReserve', createReserveData(amountMinor), actor)
}

function createApproval(approver: string, hoursAgo: number): Approval {
  const approvedAt = new Date(book.nowMs() - hoursAgo * HOUR_MS).toISOString()
  return { approver: `admin:${approver}`, approvedAt }
}

describe('one administrator', () => {
  test('moves money below the threshold, and not from it on', () => {
    requireTwoApprovers()
    fund(THRESHOLD, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    fund(THRESHOLD - 1n, 'admin:ada').expectRecorded('ReserveFunded', {})
  })

  test('cannot split an amount: the acts of this hour and the 24 before it are added up', () => {
    requireTwoApprovers()
    fund(4_000n, 'admin:ada').expectRecorded('ReserveFunded', {})
    book.advanceTime(20 * HOUR_MS)
    const investorId = createActiveInvestor(book, { amountMinor: 0n })
    const debit = { investorId, wallet: 'balance', isCredit: true, reason } as const
    const adjust = (amountMinor: bigint, actor: string) =>
      book.when('AdjustWallet', { transactionId: book.id(), ...debit, amountMinor }, actor)
    adjust(6_000n, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    adjust(5_999n, 'admin:ada').expectRecorded('WalletAdjusted', {})
    fund(1n, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    // Each administrator has a separate sum, so the sum of Ada does not limit Bob.
    fund(9_999n, 'admin:bob').expectRecorded('ReserveFunded', {})
    book.advanceTime(5 * HOUR_MS)
    fund(4_000n, 'admin:ada').expectRecorded('ReserveFunded', {})
    fund(1n, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
  })

  test('a credit and a debit do not cancel out', () => {
    requireTwoApprovers()
    fund(5_000n, 'admin:ada').expectRecorded('ReserveFunded', {})
    const withdrawReserve = () =>
      book.when('WithdrawReserve', createReserveData(5_000n), 'admin:ada')
    withdrawReserve().expectRefused('SECOND_APPROVER_NEEDED')
  })

  test('decides any amount while dual control is not required', () => {
    book.when('SetMoneyRules', { rules: { ...plainRules, approvalThresholdMinor: THRESHOLD } })
    fund(THRESHOLD, 'admin:ada').expectRecorded('ReserveFunded', {})
    book.when('AddApprover', { approverId: 'ada' }).expectRecorded('ApproverAdded', {})
    fund(THRESHOLD, 'admin:ada').expectRecorded('ReserveFunded', {})
    // Adding a second approver makes dual control required. Amounts that Ada moved before that
    // count against the threshold.
    book.when('AddApprover', { approverId: 'bob' }).expectRecorded('ApproverAdded', {})
    fund(1n, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
  })

  test('that is not an approver decides nothing while there are approvers', () => {
    requireTwoApprovers(null)
    fund(1n, 'admin:eve').expectRefused('NOT_AN_APPROVER')
    fund(1n, 'system:worker').expectRefused('SECOND_APPROVER_NEEDED')
  })

  test('that was removed decides nothing, also when no approver is left', () => {
    requireTwoApprovers(null)
    for (const approverId of ['ada', 'bob', 'cyd']) {
      book.when('RemoveApprover', { approverId, reason }, SERVER)
    }
    fund(1n, 'admin:ada').expectRefused('NOT_AN_APPROVER')
  })
})

describe('two administrators', () => {
  test('move any amount, which counts for neither of them', () => {
    requireTwoApprovers()
    book
      .approved('FundReserve', createReserveData(1_000_000n), ['ada', 'bob'])
      .expectRecorded('ReserveFunded', {})
    fund(THRESHOLD - 1n, 'admin:ada').expectRecorded('ReserveFunded', {})
    fund(THRESHOLD - 1n, 'admin:bob').expectRecorded('ReserveFunded', {})
    expect(book.events().at(-3)?.control).toMatchObject({
      approvals: [{ approver: 'admin:ada' }, { approver: 'admin:bob' }],
      rulesVersion: 1,
    })
  })

  test('must be two different people', () => {
    requireTwoApprovers()
    book
      .approved('FundReserve', createReserveData(THRESHOLD), ['ada', 'ada'])
      .expectRefused('SECOND_APPROVER_NEEDED')
  })

  test.each([
    ['older than seven days', ['ada', 169], 'older than seven days'],
    ['from the future', ['ada', -1], 'in the future'],
    ['of an administrator who is no approver', ['eve', 1], 'may not approve'],
  ] as const)('an approval %s is refused', (_what, [approver, hoursAgo], sentence) => {
    requireTwoApprovers()
    book.advanceTime(200 * HOUR_MS)
    const { decision } = book.approved('FundReserve', createReserveData(THRESHOLD), [
      'bob',
      createApproval(approver, hoursAgo),
    ])
    expect(decision).toMatchObject({
      refusal: { code: 'APPROVAL_INVALID', message: expect.stringContaining(sentence) },
    })
  })

  test('that were added less than 24 hours ago cannot approve', () => {
    requireTwoApprovers()
    book
      .approved('AddApprover', { approverId: 'dan' }, ['ada', 'bob'])
      .expectRecorded('ApproverAdded', {})
    book.advanceTime(24 * HOUR_MS - 1)
    book
      .approved('FundReserve', createReserveData(THRESHOLD), ['ada', 'dan'])
      .expectRefused('APPROVAL_INVALID')
    book.advanceTime(1)
    book
      .approved('FundReserve', createReserveData(THRESHOLD), ['ada', 'dan'])
      .expectRecorded('ReserveFunded', {})
  })

  test('an approval is void once its administrator was removed, also if added again', () => {
    requireTwoApprovers()
    const given = createApproval('bob', 0)
    const remove = { approverId: 'bob', reason }
    book.approved('RemoveApprover', remove, ['ada', 'cyd']).expectRecorded('ApproverRemoved', {})
    const retry = () => book.approved('FundReserve', createReserveData(THRESHOLD), ['ada', given])
    retry().expectRefused('APPROVAL_INVALID')
    book.advanceTime(HOUR_MS)
    book
      .approved('AddApprover', { approverId: 'bob' }, ['ada', 'cyd'])
      .expectRecorded('ApproverAdded', {})
    book.advanceTime(24 * HOUR_MS)
    retry().expectRefused('APPROVAL_INVALID')
  })
})

describe('controls', () => {
  const createPlanData = () => ({ planId: book.id(), terms: starterPlan })

  test('a new plan and a plan that owes more need two; a plan that owes less needs one', () => {
    requireTwoApprovers(null)
    const { planId, terms } = createPlanData()
    book.when('DefinePlan', { planId, terms }, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    book.approved('DefinePlan', { planId, terms }, ['ada', 'bob']).expectRecorded('PlanDefined', {})
    const changePlan = (change: Partial<typeof terms>) =>
      book.when('DefinePlan', { planId, terms: { ...terms, ...change } }, 'admin:ada')
    for (const change of [
      { profitPpm: terms.profitPpm + 1 },
      { referralBonusPpm: terms.referralBonusPpm + 1 },
      { duration: terms.duration - 1 },
      { unit: 'hours' as const },
      { maximumMinor: null },
    ]) {
      changePlan(change).expectRefused('SECOND_APPROVER_NEEDED')
    }
    changePlan({ profitPpm: terms.profitPpm - 1 }).expectRecorded('PlanDefined', {})
    changePlan({ profitPpm: terms.profitPpm - 1, isArchived: true }).expectRecorded(
      'PlanDefined',
      {},
    )
    changePlan({ profitPpm: terms.profitPpm - 1 }).expectRefused('SECOND_APPROVER_NEEDED')
  })

  test('rules: strengthening is immediate, weakening needs two', () => {
    requireTwoApprovers()
    const rules = {
      ...plainRules,
      approvalThresholdMinor: THRESHOLD,
      dailyWithdrawalLimitMinor: 5_000n,
      monthlyWithdrawalLimitMinor: 50_000n,
      coolingOffHours: 24,
      coverageMode: 'strict' as const,
      isReferralEnabled: false,
    }
    book.when('SetMoneyRules', { rules }, 'admin:ada').expectRecorded('MoneyRulesSet', {})
    for (const change of [
      { approvalThresholdMinor: THRESHOLD + 1n },
      { approvalThresholdMinor: null },
      { dailyWithdrawalLimitMinor: null },
      { monthlyWithdrawalLimitMinor: 50_001n },
      { coolingOffHours: 23 },
      { coverageMode: 'disclose' as const },
      { isReferralEnabled: true },
    ]) {
      const weaker = { rules: { ...rules, ...change } }
      book.when('SetMoneyRules', weaker, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    }
    const stronger = { ...rules, approvalThresholdMinor: 1n, depositFeePpm: 5 }
    book.when('SetMoneyRules', { rules: stronger }, 'admin:ada').expectRecorded('MoneyRulesSet', {})
  })

  test('adding and removing an approver needs two approvals, and two approvers always remain', () => {
    requireTwoApprovers()
    book
      .when('AddApprover', { approverId: 'dan' }, 'admin:ada')
      .expectRefused('SECOND_APPROVER_NEEDED')
    const createRemoval = (approverId: string) => ({ approverId, reason })
    book
      .when('RemoveApprover', createRemoval('cyd'), 'admin:ada')
      .expectRefused('SECOND_APPROVER_NEEDED')
    book
      .approved('RemoveApprover', createRemoval('cyd'), ['ada', 'bob'])
      .expectRecorded('ApproverRemoved', {})
    book
      .approved('RemoveApprover', createRemoval('bob'), ['ada', 'bob'])
      .expectRefused('LAST_APPROVERS')
    // The server may remove one of the last two approvers. The one approver who remains then cannot
    // get a second approval.
    book.when('RemoveApprover', createRemoval('bob'), SERVER).expectRecorded('ApproverRemoved', {})
    fund(THRESHOLD, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
  })

  test('dual control ends with two approvals or on the server only', () => {
    requireTwoApprovers()
    const single = { mode: 'single' } as const
    book.when('SetDualControl', single, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    book.approved('SetDualControl', single, ['ada', 'bob']).expectRecorded('DualControlSet', {})
    fund(THRESHOLD, 'admin:ada').expectRecorded('ReserveFunded', {})
    book
      .when('SetDualControl', { mode: 'required' }, 'admin:ada')
      .expectRecorded('DualControlSet', {})
    fund(THRESHOLD, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    book.when('SetDualControl', single, SERVER).expectRecorded('DualControlSet', {})
  })

  test('the server may not move money', () => {
    requireTwoApprovers()
    fund(1n, SERVER).expectRefused('SECOND_APPROVER_NEEDED')
  })
})

describe('a pending withdrawal', () => {
  function requestWithdrawal(amountMinor: bigint): string {
    const investorId = createActiveInvestor(book, { amountMinor: 5_000n })
    const transactionId = book.id()
    const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
    const request = { transactionId, investorId, source: 'balance', amountMinor } as const
    book.when('RequestWithdrawal', { ...request, ...bank })
    return transactionId
  }
  const createApprovalData = (transactionId: string, hash = 'b') => ({
    transactionId,
    paymentOptionId: null,
    payoutReference: null,
    bankAccountSha256: hash.repeat(64),
  })

  test('on hold needs two approvers at any amount', () => {
    const transactionId = requestWithdrawal(2_000n)
    requireTwoApprovers()
    const hold = { transactionId, reason: 'The password changed' }
    book.when('HoldWithdrawal', hold).expectRecorded('WithdrawalHeld', { reason: hold.reason })
    book.when('HoldWithdrawal', hold).expectRefused('ALREADY_ON_HOLD')
    const data = createApprovalData(transactionId)
    book.when('ApproveWithdrawal', data, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    book
      .approved('ApproveWithdrawal', data, ['ada', 'bob'])
      .expectRecorded('WithdrawalApproved', {})
  })

  test('is not paid to an account that changed since the request', () => {
    const transactionId = requestWithdrawal(2_000n)
    const changed = createApprovalData(transactionId, 'c')
    book.when('ApproveWithdrawal', changed, 'admin:ada').expectRefused('BANK_ACCOUNT_CHANGED')
    book
      .when('ApproveWithdrawal', createApprovalData(transactionId))
      .expectRecorded('WithdrawalApproved', {})
  })

  test('an own decision cannot be reversed alone while a threshold is set', () => {
    const transactionId = requestWithdrawal(2_000n)
    requireTwoApprovers()
    book.when('ApproveWithdrawal', createApprovalData(transactionId), 'admin:ada')
    const undo = { transactionId, to: 'declined', paymentOptionId: null, reason } as const
    book.when('ReverseWithdrawal', undo, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    book.when('ReverseWithdrawal', undo, 'admin:bob').expectRecorded('WithdrawalReversed', {})
  })
})
