import { computeWithdrawalAllowances, type MoneyRules } from '@cairn/ledger-contracts'
import { describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  type RuleBook,
} from '../../../test/support/rule-book.ts'
import { investorTable, readCountedWithdrawals } from '../investors/investor.ts'

// The test clock starts at 2026-03-01T09:00:00Z.
const DAY_MS = 86_400_000
const limits: MoneyRules = {
  ...plainRules,
  dailyWithdrawalLimitMinor: 30_000n,
  monthlyWithdrawalLimitMinor: 50_000n,
}

function openBook(rules = limits): { book: RuleBook; investorId: string } {
  const book = openRuleBook()
  book.when('SetMoneyRules', { rules })
  return { book, investorId: createActiveInvestor(book, { amountMinor: 1_000_000n }) }
}

function requestWithdrawal(book: RuleBook, investorId: string, amountMinor: bigint) {
  const transactionId = book.id()
  const bank = { bankAccountId: 'bank', bankAccountSha256: 'b'.repeat(64) }
  const data = { transactionId, investorId, source: 'balance', amountMinor, ...bank } as const
  return { transactionId, outcome: book.when('RequestWithdrawal', data) }
}

function requestRecordedWithdrawal(
  book: RuleBook,
  investorId: string,
  amountMinor: bigint,
): string {
  const { transactionId, outcome } = requestWithdrawal(book, investorId, amountMinor)
  outcome.expectRecorded('WithdrawalRequested', {})
  return transactionId
}

function readCountedOf(book: RuleBook, investorId: string) {
  const investor = book.cache.find(investorTable, investorId)
  if (investor === null) throw new Error('no investor')
  return readCountedWithdrawals(investor)
}

describe('the limits of withdrawals', () => {
  test('allow the exact limit and not a cent more, and state the remaining amount and the time of renewal', () => {
    const { book, investorId } = openBook()
    requestRecordedWithdrawal(book, investorId, 20_000n)
    requestWithdrawal(book, investorId, 10_001n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      period: 'day',
      limitMinor: '30000',
      leftMinor: '10000',
      renewsAt: '2026-03-02T00:00:00.000Z',
    })
    requestRecordedWithdrawal(book, investorId, 10_000n)
    requestWithdrawal(book, investorId, 1_000n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      leftMinor: '0',
    })
  })

  test('are counted per investor', () => {
    const { book, investorId } = openBook()
    requestRecordedWithdrawal(book, investorId, 30_000n)
    const other = createActiveInvestor(book, { amountMinor: 50_000n })
    requestRecordedWithdrawal(book, other, 30_000n)
  })

  test('are reset each day, while the month continues', () => {
    const { book, investorId } = openBook()
    requestRecordedWithdrawal(book, investorId, 30_000n)
    book.advanceTime(15 * 3_600_000 - 60_000)
    requestWithdrawal(book, investorId, 1_000n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      period: 'day',
    })
    book.advanceTime(60_000)
    requestWithdrawal(book, investorId, 20_001n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      period: 'month',
      leftMinor: '20000',
      renewsAt: '2026-04-01T00:00:00.000Z',
    })
    requestRecordedWithdrawal(book, investorId, 20_000n)
    book.advanceTime(31 * DAY_MS)
    requestRecordedWithdrawal(book, investorId, 30_000n)
    expect(readCountedOf(book, investorId)).toEqual({
      day: '2026-04-02',
      dayMinor: 30_000n,
      monthMinor: 30_000n,
    })
  })

  test.each(['DeclineWithdrawal', 'CancelWithdrawal'] as const)('%s frees the amount', (type) => {
    const { book, investorId } = openBook()
    requestRecordedWithdrawal(book, investorId, 10_000n)
    const transactionId = requestRecordedWithdrawal(book, investorId, 20_000n)
    book.when(type, { transactionId, investorId, reason: null })
    expect(readCountedOf(book, investorId)).toMatchObject({
      dayMinor: 10_000n,
      monthMinor: 10_000n,
    })
    requestRecordedWithdrawal(book, investorId, 20_000n)
  })

  test('a decline of a request of yesterday frees its amount in the month but not today', () => {
    const { book, investorId } = openBook()
    const transactionId = requestRecordedWithdrawal(book, investorId, 30_000n)
    book.advanceTime(DAY_MS)
    requestRecordedWithdrawal(book, investorId, 20_000n)
    book.when('DeclineWithdrawal', { transactionId, reason: null })
    expect(readCountedOf(book, investorId)).toMatchObject({
      dayMinor: 20_000n,
      monthMinor: 20_000n,
    })
    requestWithdrawal(book, investorId, 10_001n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      period: 'day',
    })
  })

  test('a decline of a request of last month frees nothing', () => {
    const { book, investorId } = openBook()
    const transactionId = requestRecordedWithdrawal(book, investorId, 30_000n)
    book.advanceTime(31 * DAY_MS)
    requestRecordedWithdrawal(book, investorId, 20_000n)
    book.when('DeclineWithdrawal', { transactionId, reason: null })
    expect(readCountedOf(book, investorId)).toMatchObject({
      dayMinor: 20_000n,
      monthMinor: 20_000n,
    })
  })

  test('an approved amount still counts; a returned payout no longer counts', () => {
    const { book, investorId } = openBook()
    const transactionId = requestRecordedWithdrawal(book, investorId, 30_000n)
    const cash = {
      paymentOptionId: 'bank',
      payoutReference: null,
      bankAccountSha256: 'b'.repeat(64),
    }
    book.when('ApproveWithdrawal', { transactionId, ...cash })
    requestWithdrawal(book, investorId, 1_000n).outcome.expectRefused('WITHDRAWAL_LIMIT')
    const reversal = { transactionId, paymentOptionId: 'bank', reason: 'bounced' }
    book.when('ReverseWithdrawal', { ...reversal, to: 'declined' })
    requestRecordedWithdrawal(book, investorId, 30_000n)
    // The limit does not apply to decisions of administrators, so a decision can exceed the limit.
    // The amount left is then zero and not negative.
    book
      .when('ReverseWithdrawal', { ...reversal, to: 'success' })
      .expectRecorded('WithdrawalReversed', {})
    requestWithdrawal(book, investorId, 1_000n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      leftMinor: '0',
    })
  })

  test('the refusal states the limit with the smaller remaining amount', () => {
    const { book, investorId } = openBook({ ...limits, monthlyWithdrawalLimitMinor: 25_000n })
    requestWithdrawal(book, investorId, 26_000n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      period: 'month',
    })
  })

  test('that are set later count the earlier requests of the day', () => {
    const { book, investorId } = openBook(plainRules)
    requestRecordedWithdrawal(book, investorId, 25_000n)
    book.when('SetMoneyRules', { rules: limits })
    requestWithdrawal(book, investorId, 5_001n).outcome.expectRefused('WITHDRAWAL_LIMIT', {
      leftMinor: '5000',
    })
    book.when('SetMoneyRules', { rules: plainRules })
    requestRecordedWithdrawal(book, investorId, 100_000n)
  })

  test('a request with an earlier effective time counts for its month if that is the newest', () => {
    const { book, investorId } = openBook()
    requestRecordedWithdrawal(book, investorId, 10_000n)
    const nowMs = book.nowMs()
    book.advanceTime(-DAY_MS)
    // The clock was set back to February, the month before the newest counted day.
    requestRecordedWithdrawal(book, investorId, 30_000n)
    book.advanceTime(nowMs + 2 * DAY_MS - book.nowMs())
    requestRecordedWithdrawal(book, investorId, 5_000n)
    book.advanceTime(-DAY_MS)
    requestRecordedWithdrawal(book, investorId, 30_000n)
    expect(readCountedOf(book, investorId)).toEqual({
      day: '2026-03-03',
      dayMinor: 5_000n,
      monthMinor: 45_000n,
    })
  })
})

test('are correct on a leap day and on the last day of a year', () => {
  const none = { day: null, dayMinor: 0n, monthMinor: 0n }
  const listPeriodEnds = (at: string) =>
    computeWithdrawalAllowances(limits, none, Date.parse(at)).map(({ renewsAt }) =>
      renewsAt.slice(0, 10),
    )
  expect(listPeriodEnds('2028-02-29T23:59:59.999Z')).toEqual(['2028-03-01', '2028-03-01'])
  expect(listPeriodEnds('2026-12-31T00:00:00.000Z')).toEqual(['2027-01-01', '2027-01-01'])
  expect(listPeriodEnds('2026-12-30T12:00:00.000Z')).toEqual(['2026-12-31', '2027-01-01'])
})
