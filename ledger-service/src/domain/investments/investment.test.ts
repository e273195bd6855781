import { account } from '@cairn/ledger-contracts'
import { describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  plainRules,
  type RuleBook,
  starterPlan,
} from '../../../test/support/rule-book.ts'

const DAY_MS = 86_400_000

function createBookWithPlan(terms = starterPlan) {
  const book = openRuleBook()
  const planId = book.id()
  book.when('DefinePlan', { planId, terms })
  const referrerId = createActiveInvestor(book, { amountMinor: 0n })
  const investorId = createActiveInvestor(book, { amountMinor: 60_000n, referrerId })
  return { book, planId, investorId, referrerId }
}

function openInvestment(
  book: RuleBook,
  purchase: { planId: string; investorId: string; amountMinor: bigint; planVersion?: number },
) {
  const investmentId = book.id()
  const outcome = book.when('OpenInvestment', { investmentId, planVersion: null, ...purchase })
  return { investmentId, outcome }
}

describe('opening an investment', () => {
  test('commits the whole profit and names the bonus of the referrer', () => {
    const { book, planId, investorId, referrerId } = createBookWithPlan()
    // The promised profit is 5 % of 500.00. The bonus of the referrer is 2 % of 500.00.
    openInvestment(book, { planId, investorId, amountMinor: 50_000n }).outcome.expectRecorded(
      'InvestmentOpened',
      {
        promisedMinor: 2_500n,
        bonusMinor: 1_000n,
        bonusTo: referrerId,
        startedAt: '2026-03-01T09:00:00.000Z',
        expiresAt: '2026-03-31T09:00:00.000Z',
      },
      {
        balance: -50_000n,
        principal: 50_000n,
        reserve: -2_500n,
        committed: 2_500n,
      },
    )
  })

  test('is refused in the documented order', () => {
    const { book, planId, investorId } = createBookWithPlan()
    const openWithAmount = (amountMinor: bigint, planVersion = 1) =>
      openInvestment(book, { planId, investorId, amountMinor, planVersion }).outcome
    openWithAmount(60_001n).expectRefused('INSUFFICIENT_FUNDS', { availableMinor: '60000' })
    openWithAmount(9_999n).expectRefused('AMOUNT_BELOW_MINIMUM', { minimumMinor: '10000' })
    openWithAmount(50_000n, 2).expectRefused('TERMS_CHANGED')
    openInvestment(book, { planId: book.id(), investorId, amountMinor: 1n }).outcome.expectRefused(
      'PLAN_UNKNOWN',
    )
    book.when('DefinePlan', { planId, terms: { ...starterPlan, maximumMinor: 20_000n } })
    openWithAmount(20_001n, 2).expectRefused('AMOUNT_ABOVE_MAXIMUM', { maximumMinor: '20000' })
    book.when('DefinePlan', { planId, terms: { ...starterPlan, isArchived: true } })
    openWithAmount(10_000n, 3).expectRefused('PLAN_CLOSED')
  })

  test('a plan that has changed since the author read it is not overwritten', () => {
    const { book, planId } = createBookWithPlan()
    const definePlan = (seen?: number) =>
      book.when('DefinePlan', { planId, terms: starterPlan, ...(seen && { seen }) })
    definePlan(1).expectRecorded('PlanDefined', { version: 2 })
    definePlan(1).expectRefused('TERMS_CHANGED')
    // Sabotaged twin: a command without `seen` overwrites the change that another administrator
    // made after the author had read the plan.
    definePlan().expectRecorded('PlanDefined', { version: 3 })
  })

  test('pays no bonus while referral is off or the referrer is suspended', () => {
    const { book, planId, investorId, referrerId } = createBookWithPlan()
    book.when('SuspendInvestor', { investorId: referrerId, standing: 'deactivated' })
    openInvestment(book, { planId, investorId, amountMinor: 10_000n }).outcome.expectRecorded(
      'InvestmentOpened',
      {
        bonusMinor: 0n,
        bonusTo: null,
      },
    )
  })

  test('is refused in strict mode when the reserve does not hold the profit', () => {
    const { book, planId, investorId } = createBookWithPlan()
    book.when('SetMoneyRules', {
      rules: { ...plainRules, coverageMode: 'strict' },
    })
    const purchase = { planId, investorId, amountMinor: 50_000n }
    book.when('FundReserve', { transactionId: book.id(), amountMinor: 2_499n, note: null })
    openInvestment(book, purchase).outcome.expectRefused('FULLY_SUBSCRIBED')
    book.when('FundReserve', { transactionId: book.id(), amountMinor: 1n, note: null })
    openInvestment(book, purchase).outcome.expectRecorded('InvestmentOpened', {})
  })

  test('keeps its terms when the plan changes', () => {
    const { book, planId, investorId } = createBookWithPlan()
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    book.when('DefinePlan', { planId, terms: { ...starterPlan, profitPpm: 0, isArchived: true } })
    book.advanceTime(30 * DAY_MS)
    book
      .when('AccrueThrough', { investmentId, units: 30 })
      .expectRecorded('InvestmentMatured', { profitMinor: 2_500n })
  })
})

describe('an active investment', () => {
  test('accrues any number of due units, never early or twice', () => {
    const { book, planId, investorId } = createBookWithPlan()
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    const accrue = (units: number) => book.when('AccrueThrough', { investmentId, units })
    accrue(1).expectRefused('NOT_DUE')
    book.advanceTime(3 * DAY_MS)
    accrue(4).expectRefused('NOT_DUE', { unitsElapsed: '3' })
    accrue(1).expectRecorded(
      'ProfitAccrued',
      { profitMinor: 83n },
      { committed: -83n, profit: 83n },
    )
    accrue(3).expectRecorded('ProfitAccrued', { profitMinor: 167n, creditedMinor: 250n })
    accrue(3).expectRefused('NOT_DUE', { unitsDone: '3' })
  })

  test('accrues with the time of the unit end if that was an earlier day, else with the recorded time', () => {
    const { book, planId, investorId } = createBookWithPlan()
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    const startedAtMs = book.nowMs()
    book.advanceTime(1 * DAY_MS + 3_600_000)
    book.when('AccrueThrough', { investmentId, units: 1 })
    expect(book.events().at(-1)?.effectiveAtMs).toBe(book.nowMs())
    book.advanceTime(3 * DAY_MS)
    book.when('AccrueThrough', { investmentId, units: 3 })
    expect(book.events().at(-1)?.effectiveAtMs).toBe(startedAtMs + 3 * DAY_MS)
  })

  test('at its end returns the principal or gives it to the operator, as the plan defines', () => {
    for (const returnPrincipal of [true, false]) {
      const { book, planId, investorId } = createBookWithPlan({ ...starterPlan, returnPrincipal })
      const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
      book.advanceTime(31 * DAY_MS)
      book
        .when('AccrueThrough', { investmentId, units: 30 })
        .expectRecorded(
          'InvestmentMatured',
          { isPrincipalReturned: returnPrincipal },
          returnPrincipal
            ? { committed: -2_500n, profit: 2_500n, principal: -50_000n, balance: 50_000n }
            : { committed: -2_500n, profit: 2_500n, principal: -50_000n, income: 50_000n },
        )
      book.when('AccrueThrough', { investmentId, units: 30 }).expectRefused('INVESTMENT_NOT_ACTIVE')
    }
  })

  test('denied returns the principal, and releases the remaining promise and the bonus', () => {
    const { book, planId, investorId } = createBookWithPlan()
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    book.when('PayReferralBonus', { investmentId })
    book.advanceTime(3 * DAY_MS)
    book.when('AccrueThrough', { investmentId, units: 2 })
    book.when('DenyInvestment', { investmentId, reason: 'terms broken' }).expectRecorded(
      'InvestmentDenied',
      { units: 3, profitMinor: 84n, releasedMinor: 2_250n, bonusReturnedMinor: 1_000n },
      {
        profit: 84n,
        principal: -50_000n,
        balance: 50_000n,
        committed: -2_334n,
        reserve: 2_250n,
        referral: -1_000n,
        marketing: 1_000n,
      },
    )
    expect(book.balance(account.getAvailableCode(investorId, 'profit'))).toBe(250n)
  })

  test('denied on a plan that keeps the principal never pays more than the principal', () => {
    for (const [units, credited] of [
      [0, 0n],
      [15, 25_000n],
      [29, 48_333n],
    ] as const) {
      // With a profit of 100 %, the whole term pays as much as the principal.
      const terms = { ...starterPlan, returnPrincipal: false, profitPpm: 1_000_000 }
      const { book, planId, investorId } = createBookWithPlan(terms)
      const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
      book.advanceTime(units * DAY_MS)
      book
        .when('DenyInvestment', { investmentId, reason: 'terms broken' })
        .expectRecorded('InvestmentDenied', {
          creditedMinor: credited,
          returnedMinor: 50_000n - credited,
          releasedMinor: 50_000n - credited,
        })
      expect(book.balance('income')).toBe(credited)
    }
  })

  test('denied on a plan that pays more than the principal returns nothing, and never a negative sum', () => {
    const terms = { ...starterPlan, returnPrincipal: false, profitPpm: 3_000_000 }
    const { book, planId, investorId } = createBookWithPlan(terms)
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    book.advanceTime(15 * DAY_MS)
    book
      .when('DenyInvestment', { investmentId, reason: 'terms broken' })
      .expectRecorded('InvestmentDenied', { creditedMinor: 75_000n, returnedMinor: 0n })
  })

  test('denied after its term pays the same as the term, also before a late accrual', () => {
    const { book, planId, investorId } = createBookWithPlan()
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    book.advanceTime(30 * DAY_MS)
    book
      .when('DenyInvestment', { investmentId, reason: 'late' })
      .expectRecorded('InvestmentDenied', { creditedMinor: 2_500n, returnedMinor: 50_000n })
  })

  test('can be cancelled in the cooling-off period, with its profit', () => {
    const { book, planId, investorId } = createBookWithPlan()
    book.when('SetMoneyRules', { rules: { ...plainRules, coolingOffHours: 48 } })
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    book.advanceTime(DAY_MS)
    book.when('AccrueThrough', { investmentId, units: 1 })
    const cancel = (who: string) => book.when('CancelInvestment', { investmentId, investorId: who })
    cancel(book.id()).expectRefused('NOT_YOURS')
    cancel(investorId).expectRecorded(
      'InvestmentCancelled',
      { profitReturnedMinor: 83n, releasedMinor: 2_417n, bonusReturnedMinor: 0n },
      {
        principal: -50_000n,
        balance: 50_000n,
        profit: -83n,
        committed: -2_417n,
        reserve: 2_500n,
      },
    )
    cancel(investorId).expectRefused('INVESTMENT_NOT_ACTIVE')
  })

  test('cannot be cancelled after the cooling-off period', () => {
    const { book, planId, investorId } = createBookWithPlan()
    book.when('SetMoneyRules', { rules: { ...plainRules, coolingOffHours: 48 } })
    const { investmentId } = openInvestment(book, { planId, investorId, amountMinor: 50_000n })
    book.advanceTime(2 * DAY_MS)
    book.when('CancelInvestment', { investmentId, investorId }).expectRefused('COOLING_OFF_OVER')
  })
})
