import type { CommandType } from '@cairn/ledger-contracts'
import { beforeEach, describe, test } from 'vitest'
import {
  activeInvestorWith,
  type Outcome,
  openRuleBook,
  plainRules,
  type RuleBook,
  starterPlan,
} from '../../../test/support/rule-book.ts'

const THRESHOLD = 10_000n
const paymentOptionId = null
const reason = 'a mistake'

let book: RuleBook
beforeEach(() => {
  book = openRuleBook()
})

function setThreshold(approvalThresholdMinor: bigint | null): void {
  book.when('SetMoneyRules', { rules: { ...plainRules, approvalThresholdMinor } })
}

function requested(kind: 'Deposit' | 'Withdrawal', amountMinor: bigint): string {
  const investorId = activeInvestorWith(book, { amountMinor: 100_000n })
  const transactionId = book.id()
  const receipt = { paymentOptionId, receiptId: 'r', receiptSha256: 'a'.repeat(64) }
  const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
  const request = { transactionId, investorId, amountMinor }
  if (kind === 'Deposit') book.when('RequestDeposit', { ...request, method: 'bank', ...receipt })
  else book.when('RequestWithdrawal', { ...request, source: 'balance', ...bank })
  return transactionId
}

/** Submits as one of the administrators. */
type Act = (actor: string) => Outcome

function approveDeposit(transactionId: string, approvedMinor: bigint | null): Act {
  const data = { transactionId, paymentOptionId, approvedMinor }
  return (actor) => book.when('ApproveDeposit', data, `admin:${actor}`)
}

function act(type: CommandType, data: object): Act {
  // The cast holds because each data object is defined with its type.
  return (actor) => book.when(type, data as never, `admin:${actor}`)
}

/** Returns a function that reverses it. Ada decided; from the threshold on, Bob approved first. */
function decided(
  kind: 'Deposit' | 'Withdrawal',
  to: 'success' | 'declined',
  { amountMinor, threshold }: { amountMinor: bigint; threshold: bigint | null },
): Act {
  const transactionId = requested(kind, amountMinor)
  setThreshold(threshold)
  if (to === 'declined') {
    act(`Decline${kind}`, { transactionId, reason })('ada')
  } else {
    const more = kind === 'Deposit' ? { approvedMinor: null } : { payoutReference: null }
    const approve = act(`Approve${kind}`, { transactionId, paymentOptionId, ...more })
    if (threshold !== null && amountMinor >= threshold) approve('bob')
    approve('ada')
  }
  return act(`Reverse${kind}`, {
    transactionId,
    paymentOptionId,
    reason,
    to: to === 'success' ? 'declined' : 'success',
  })
}

describe('a reversal while a threshold is set', () => {
  const kinds = ['Deposit', 'Withdrawal'] as const
  const cases = kinds.flatMap((kind) =>
    (['declined', 'success'] as const).map((from) => [kind, from] as const),
  )

  test.each(cases)('%s, %s: takes two administrators from the threshold on', (kind, from) => {
    const reverse = decided(kind, from, { amountMinor: THRESHOLD, threshold: THRESHOLD })
    // Neither the author of the decision nor one other administrator alone can reverse it.
    reverse('ada').refuses('SECOND_APPROVER_NEEDED')
    reverse('bob').records(`${kind}ReversalRecorded`, {}, {})
    reverse('bob').refuses('SECOND_APPROVER_NEEDED')
    reverse('ada').records(`${kind}Reversed`, {})
  })

  test.each(cases)('%s, %s: below it takes another administrator', (kind, from) => {
    const reverse = decided(kind, from, { amountMinor: THRESHOLD - 1n, threshold: THRESHOLD })
    reverse('ada').refuses('SECOND_APPROVER_NEEDED')
    reverse('bob').records(`${kind}Reversed`, {})
  })

  test.each(cases)('%s, %s: sabotaged twin, one alone does it without one', (kind, from) => {
    const reverse = decided(kind, from, { amountMinor: THRESHOLD, threshold: null })
    reverse('ada').records(`${kind}Reversed`, {})
  })
})

describe('the second approval of a deposit', () => {
  test.each([
    ['another amount', null, 9_000_000n],
    ['an amount below the threshold', null, THRESHOLD - 1n],
    ['the requested amount where the first named another', 9_000_000n, null],
  ])('is refused with %s', (_name, first, second) => {
    setThreshold(THRESHOLD)
    const transactionId = requested('Deposit', THRESHOLD)
    approveDeposit(transactionId, first)('ada').records('DepositApprovalRecorded', {}, {})
    const approvedMinor = String(first ?? THRESHOLD)
    approveDeposit(transactionId, second)('bob').refuses('APPROVAL_DIFFERS', { approvedMinor })
    approveDeposit(transactionId, first)('bob').records('DepositApproved', {})
  })

  test('counts the approved amount, not the requested one, against the threshold', () => {
    setThreshold(THRESHOLD)
    const approve = approveDeposit(requested('Deposit', THRESHOLD - 1n), THRESHOLD)
    approve('ada').records('DepositApprovalRecorded', { amountMinor: THRESHOLD }, {})
    approve('ada').refuses('SECOND_APPROVER_NEEDED')
  })

  test('sabotaged twin: without a threshold one administrator approves any amount', () => {
    const approve = approveDeposit(requested('Deposit', THRESHOLD), 9_000_000n)
    approve('ada').records('DepositApproved', { amountMinor: 9_000_000n })
  })
})

describe('money that administrators move themselves', () => {
  test('into a wallet: from the threshold on only by an adjustment', () => {
    const investorId = activeInvestorWith(book, { amountMinor: 0n })
    const gift = { investorId, wallet: 'balance', category: null, reason: null }
    const fund = (amountMinor: bigint) =>
      act('FundWallet', { ...gift, transactionId: book.id(), amountMinor })('ada')
    fund(THRESHOLD).records('WalletFunded', {})
    setThreshold(THRESHOLD)
    fund(THRESHOLD).refuses('SECOND_APPROVER_NEEDED')
    fund(THRESHOLD - 1n).records('WalletFunded', {})
  })

  test('out of the reserve: proposed by one, moved by another, or rejected', () => {
    book.when('FundReserve', { transactionId: book.id(), amountMinor: 50_000n, note: null })
    setThreshold(THRESHOLD)
    const propose = (amountMinor: bigint) => {
      const transactionId = book.id()
      const take = act('WithdrawReserve', { transactionId, amountMinor, note: null })
      return { transactionId, take }
    }
    const { transactionId, take } = propose(THRESHOLD)
    take('ada').records('ReserveWithdrawalProposed', {}, {})
    take('ada').refuses('SECOND_APPROVER_NEEDED')
    const other = { transactionId, amountMinor: THRESHOLD - 1n, note: null }
    act('WithdrawReserve', other)('bob').refuses('APPROVAL_DIFFERS')
    const sweep = { transactionId, from: 'fees', amountMinor: THRESHOLD }
    act('SweepToReserve', sweep)('bob').refuses('ID_ALREADY_USED')
    const moved = { reserve: -THRESHOLD, 'cash:treasury': THRESHOLD }
    take('bob').records('ReserveWithdrawn', {}, moved)
    take('carl').refuses('ID_ALREADY_USED')
    const rejected = propose(THRESHOLD)
    rejected.take('ada')
    const reject = act('RejectReserveMovement', { transactionId: rejected.transactionId, reason })
    reject('bob').records('ReserveMovementRejected', {}, {})
    rejected.take('bob').refuses('ID_ALREADY_USED')
    propose(50_000n).take('ada').refuses('INSUFFICIENT_FUNDS')
    setThreshold(null)
    propose(THRESHOLD).take('ada').records('ReserveWithdrawn', {})
  })

  test('from fees to the reserve: proposed by one, moved by another', () => {
    book.when('SetMoneyRules', { rules: { ...plainRules, depositFeePpm: 100_000 } })
    approveDeposit(requested('Deposit', 300_000n), null)('ada')
    const sweep = () =>
      act('SweepToReserve', { transactionId: book.id(), from: 'fees', amountMinor: THRESHOLD })
    sweep()('ada').records('SweptToReserve', {})
    setThreshold(THRESHOLD)
    const waiting = sweep()
    waiting('ada').records('SweepProposed', {}, {})
    waiting('ada').refuses('SECOND_APPROVER_NEEDED')
    waiting('bob').records('SweptToReserve', {}, { fees: -THRESHOLD, reserve: THRESHOLD })
  })
})

describe('the denial of an investment', () => {
  function opened(amountMinor: bigint): Act {
    const investorId = activeInvestorWith(book, { amountMinor })
    const [planId, investmentId] = [book.id(), book.id()]
    book.when('DefinePlan', { planId, terms: starterPlan })
    const opening = { investmentId, investorId, planId, amountMinor, planVersion: null }
    book.when('OpenInvestment', opening)
    return act('DenyInvestment', { investmentId, reason })
  }

  test('takes two administrators from the threshold on', () => {
    const [large, small] = [opened(20_000n), opened(10_000n)]
    setThreshold(20_000n)
    large('ada').records('InvestmentDenialRecorded', { reason }, {})
    large('ada').refuses('SECOND_APPROVER_NEEDED')
    large('bob').records('InvestmentDenied', {})
    small('ada').records('InvestmentDenied', {})
  })

  test('sabotaged twin: without a threshold one is enough', () => {
    opened(20_000n)('ada').records('InvestmentDenied', {})
  })
})
