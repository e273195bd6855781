import { describe, expect, test } from 'vitest'

import { formatSentenceDate } from '../../shared/dates/sentence-date.ts'
import { computeLoss, computePayout, findRefusal, formatTerm, getPlanName } from './payout.ts'

const starter = {
  name: 'Starter Plan',
  planDuration: 30,
  timingParameter: 'days',
  percentage: 5,
  returnPrincipal: true,
  minDeposit: 100,
  maxDeposit: 1000,
} as const
const NOV_21 = Date.UTC(2026, 10, 21, 12)

describe('the payout of a plan', () => {
  // 5 % of 500.00 is 25.00; 30 days after 21 November is 21 December.
  test('is the principal and the profit of the whole term', () => {
    const payout = computePayout(starter, 50_000n, NOV_21)
    expect(payout).toMatchObject({ profit: 2_500n, back: 52_500n, returnsPrincipal: true })
    expect(formatSentenceDate(payout.endsAtMs)).toBe('Dec 21, 2026')
  })

  test('is the profit alone if the principal is not returned', () => {
    expect(computePayout({ ...starter, returnPrincipal: false }, 50_000n, NOV_21).back).toBe(2_500n)
  })

  // 2.5 % of 0.99 is 0.02475, which rounds to 0.02. 2.5 % of 1.00 is 0.025, which rounds to 0.03.
  test('rounds half up to the cent', () => {
    expect(computePayout({ ...starter, percentage: 2.5 }, 99n, NOV_21).profit).toBe(2n)
    expect(computePayout({ ...starter, percentage: 2.5 }, 100n, NOV_21).profit).toBe(3n)
  })

  test('counts hours of exactly sixty minutes', () => {
    const hourly = { ...starter, planDuration: 48, timingParameter: 'hours' } as const
    expect(computePayout(hourly, 100n, NOV_21).endsAtMs - NOV_21).toBe(48 * 3_600_000)
  })
})

describe('the name of a plan', () => {
  test('is its name, or its term', () => {
    expect(getPlanName(starter)).toBe('Starter Plan')
    expect(getPlanName({ ...starter, name: null })).toBe('30-day plan')
    expect(formatTerm({ planDuration: 1, timingParameter: 'hours' })).toBe('1 hour')
  })
})

describe('an amount that cannot be invested', () => {
  test.each([
    [null, '500', 'Please select a plan first'],
    [starter, 'five', 'Enter an amount with at most two decimals'],
    [starter, '900', 'Insufficient wallet balance'],
    [starter, '99.99', 'The selected plan requires a minimum deposit of $100'],
    [starter, '500', null],
  ])('is refused in the documented words', (plan, typed, sentence) => {
    expect(findRefusal(plan, typed, 80_000n)).toBe(sentence)
  })

  test('above the maximum of the plan', () => {
    expect(findRefusal(starter, '1000.01', 500_000n)).toBe(
      "You can't invest more than $1,000 on this plan",
    )
  })
})

describe('a plan that loses money', () => {
  const losing = { ...starter, percentage: 3, returnPrincipal: false }

  test('loses what it does not pay back', () => {
    expect(computeLoss(losing, 1_000n)).toBe(970n)
    expect(computeLoss(starter, 1_000n)).toBe(0n)
  })
})
