import { account } from '@cairn/ledger-contracts'
import { describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  type RuleBook,
  starterPlan,
} from '../../../test/support/rule-book.ts'
import { transactionTable } from '../transactions/transaction.ts'

const HOUR_MS = 3_600_000
const COOLING_OFF_HOURS = 48

/**
 * Creates a referrer, and a referred investor whose investment of 500.00 earns a bonus of 10.00.
 */
function createBookWithReferral(coolingOffHours = COOLING_OFF_HOURS) {
  const book = openRuleBook()
  const planId = book.id()
  book.when('DefinePlan', { planId, terms: starterPlan })
  const setCoolingOff = (hours: number) =>
    book.when('SetMoneyRules', {
      rules: { ...plainRules, minimumWithdrawalMinor: 100n, coolingOffHours: hours },
    })
  setCoolingOff(coolingOffHours)
  const referrerId = createActiveInvestor(book, { amountMinor: 0n })
  const investorId = createActiveInvestor(book, { amountMinor: 60_000n, referrerId })
  const referral = account.getAvailableCode(referrerId, 'referral')
  const open = () => {
    const investmentId = book.id()
    const purchase = { investorId, planId, amountMinor: 50_000n, planVersion: null }
    return { investmentId, outcome: book.when('OpenInvestment', { investmentId, ...purchase }) }
  }
  const openAndPayBonus = () => {
    const { investmentId } = open()
    book.when('PayReferralBonus', { investmentId }).expectRecorded('ReferralBonusPaid', {})
    return investmentId
  }
  const withdraw = (amountMinor: bigint) => {
    const transactionId = book.id()
    book
      .when('RequestWithdrawal', {
        transactionId,
        investorId: referrerId,
        source: 'referral',
        amountMinor,
        bankAccountId: 'bank',
        bankAccountSha256: 'b'.repeat(64),
      })
      .expectRecorded('WithdrawalRequested', {})
    return transactionId
  }
  const approveWithdrawal = (transactionId: string) =>
    book
      .when('ApproveWithdrawal', {
        transactionId,
        paymentOptionId: null,
        payoutReference: null,
        bankAccountSha256: 'b'.repeat(64),
      })
      .expectRecorded('WithdrawalApproved', {})
  return {
    book,
    referrerId,
    investorId,
    referral,
    open,
    openAndPayBonus,
    withdraw,
    pay: approveWithdrawal,
    setCoolingOff,
  }
}

describe('a referral bonus', () => {
  test('is paid once, when the cooling-off period is over', () => {
    const { book, referrerId, open } = createBookWithReferral()
    const { investmentId, outcome } = open()
    outcome.expectRecorded(
      'InvestmentOpened',
      { bonusMinor: 1_000n, bonusTo: referrerId, bonusDueAt: '2026-03-03T09:00:00.000Z' },
      { balance: -50_000n, principal: 50_000n, reserve: -2_500n, committed: 2_500n },
    )
    const payBonus = () => book.when('PayReferralBonus', { investmentId })
    book.advanceTime(COOLING_OFF_HOURS * HOUR_MS - 1)
    payBonus().expectRefused('NOT_DUE')
    book.advanceTime(1)
    payBonus().expectRecorded(
      'ReferralBonusPaid',
      { bonusMinor: 1_000n, bonusTo: referrerId },
      { marketing: -1_000n, referral: 1_000n },
    )
    payBonus().expectRefused('NOT_DUE')
  })

  test('is due at once without a cooling-off period, in an event that does not name the buyer', () => {
    const { book, investorId, referrerId, open } = createBookWithReferral(0)
    const { investmentId, outcome } = open()
    outcome.expectRecorded(
      'InvestmentOpened',
      { bonusTo: referrerId, bonusDueAt: '2026-03-01T09:00:00.000Z' },
      { balance: -50_000n, principal: 50_000n, reserve: -2_500n, committed: 2_500n },
    )
    const paid = book.when('PayReferralBonus', { investmentId })
    paid.expectRecorded('ReferralBonusPaid', {}, { marketing: -1_000n, referral: 1_000n })
    const { decision } = paid
    if ('refusal' in decision) throw new Error('the bonus was refused')
    expect(decision.fact.data).toEqual({ investmentId, bonusTo: referrerId, bonusMinor: 1_000n })
    expect(decision.postings.map(({ account: name }) => name).join()).not.toContain(investorId)
  })

  test('is not earned by investments that are cancelled again and again', () => {
    const { book, investorId, referral, open } = createBookWithReferral()
    for (let round = 0; round < 3; round += 1) {
      const { investmentId } = open()
      book.advanceTime(HOUR_MS)
      book
        .when('CancelInvestment', { investmentId, investorId })
        .expectRecorded('InvestmentCancelled', { bonusReturnedMinor: 0n, bonusLostMinor: 0n })
      book.advanceTime(COOLING_OFF_HOURS * HOUR_MS)
      book.when('PayReferralBonus', { investmentId }).expectRefused('NOT_DUE')
    }
    expect([book.balance(referral), book.balance('marketing')]).toEqual([0n, 0n])
  })

  test('is not paid for an investment that was denied before it was due', () => {
    const { book, referral, open } = createBookWithReferral()
    const { investmentId } = open()
    book.when('DenyInvestment', { investmentId, reason: 'terms broken' })
    book.advanceTime(COOLING_OFF_HOURS * HOUR_MS)
    book.when('PayReferralBonus', { investmentId }).expectRefused('NOT_DUE')
    expect(book.balance(referral)).toBe(0n)
  })

  test('is forfeited for good if the investor or the referrer is not active when it is due', () => {
    for (const who of ['investor', 'referrer'] as const) {
      const { book, investorId, referrerId, open } = createBookWithReferral()
      const { investmentId } = open()
      book.advanceTime(COOLING_OFF_HOURS * HOUR_MS)
      const suspended = who === 'investor' ? investorId : referrerId
      book.when('SuspendInvestor', { investorId: suspended, standing: 'deactivated' })
      book
        .when('PayReferralBonus', { investmentId })
        .expectRecorded('ReferralBonusForfeited', { cause: `${who}-not-active` }, {})
      book.when('ActivateInvestor', { investorId: suspended, referrerId: null })
      book.when('PayReferralBonus', { investmentId }).expectRefused('NOT_DUE')
    }
  })
})

describe('a paid bonus is taken back when the investment ends early', () => {
  test('from pending withdrawals, oldest first, and only as many as needed', () => {
    const { book, referrerId, referral, openAndPayBonus, withdraw, pay } = createBookWithReferral(0)
    const investmentId = openAndPayBonus()
    const gift = { transactionId: book.id(), wallet: 'referral', category: null } as const
    book.when('FundWallet', { ...gift, investorId: referrerId, amountMinor: 500n, reason: null })
    const ids = [withdraw(300n), withdraw(400n), withdraw(200n)] as const
    // Only 6.00 of the bonus of 10.00 are available. The other 4.00 are in pending withdrawals.
    book.when('DenyInvestment', { investmentId, reason: 'terms broken' }).expectRecorded(
      'InvestmentDenied',
      {
        bonusReturnedMinor: 1_000n,
        bonusLostMinor: 0n,
        declinedWithdrawals: [
          { transactionId: ids[0], amountMinor: 300n, feeMinor: 0n },
          { transactionId: ids[1], amountMinor: 400n, feeMinor: 0n },
        ],
      },
      {
        principal: -50_000n,
        balance: 50_000n,
        committed: -2_500n,
        reserve: 2_500n,
        'held:referral': -700n,
        referral: -300n,
        marketing: 1_000n,
      },
    )
    expect(readStatus(book, ids[0])).toBe('declined')
    expect(readStatus(book, ids[1])).toBe('declined')
    expect(book.balance(referral)).toBe(300n)
    pay(ids[2])
  })

  test('except what the referrer has withdrawn, and then no further bonus is paid', () => {
    const { book, referral, open, openAndPayBonus, withdraw, pay } = createBookWithReferral(0)
    const investmentId = openAndPayBonus()
    pay(withdraw(700n))
    book
      .when('DenyInvestment', { investmentId, reason: 'terms broken' })
      .expectRecorded('InvestmentDenied', { bonusReturnedMinor: 300n, bonusLostMinor: 700n })
    expect([book.balance(referral), book.balance('marketing')]).toEqual([0n, -700n])
    open().outcome.expectRecorded('InvestmentOpened', { bonusMinor: 0n, bonusTo: null })
  })

  test('by an investor who cancels after the cooling-off period was extended', () => {
    const { book, investorId, referral, openAndPayBonus, setCoolingOff } = createBookWithReferral(0)
    const investmentId = openAndPayBonus()
    expect(book.balance(referral)).toBe(1_000n)
    setCoolingOff(COOLING_OFF_HOURS)
    book
      .when('CancelInvestment', { investmentId, investorId })
      .expectRecorded('InvestmentCancelled', { bonusReturnedMinor: 1_000n })
    expect(book.balance(referral)).toBe(0n)
  })

  test('from a withdrawal that was decided already, nothing is taken', () => {
    const { book, referrerId, openAndPayBonus, withdraw } = createBookWithReferral(0)
    const investmentId = openAndPayBonus()
    const cancelled = withdraw(400n)
    book.when('CancelWithdrawal', { transactionId: cancelled, investorId: referrerId })
    book.when('DenyInvestment', { investmentId, reason: 'terms broken' }).expectRecorded(
      'InvestmentDenied',
      // The withdrawal was cancelled, so it must not be declined. The withdrawal would be declined
      // if it were still listed as pending.
      { bonusReturnedMinor: 1_000n, declinedWithdrawals: [] },
    )
    expect(readStatus(book, cancelled)).toBe('cancelled')
  })
})

function readStatus(book: RuleBook, transactionId: string): string | undefined {
  return book.cache.find(transactionTable, transactionId)?.status
}
