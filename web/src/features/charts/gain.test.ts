import { expect, test } from 'vitest'
import { computeGain } from './gain.ts'
import { toHoldings } from './series.ts'

const FROM = '2026-11-01'

function createPoint(
  day: string,
  available: number,
  paidIn: number,
  { credited = 0, profit = 0, bonuses = 0 } = {},
) {
  return { day, available, held: 0, invested: 0, profit, paidIn, credited, bonuses }
}

test('deposits, withdrawals and fundings in the period are no gain', () => {
  const holdings = toHoldings(
    [
      createPoint(FROM, 1_000, 900),
      createPoint('2026-11-06', 2_500, 2_400),
      createPoint('2026-11-08', 2_900, 2_400, { credited: 400 }),
      createPoint('2026-11-10', 2_500, 2_000, { credited: 400 }),
    ],
    '2026-11-11',
  )
  expect(computeGain(holdings, FROM)).toEqual({ minor: 0n, profit: 0n, referrals: 0n, costs: 0n })
})

test('the gain of a period is divided into profit, referral bonuses and costs', () => {
  const holdings = toHoldings(
    [
      createPoint(FROM, 1_000, 900, { profit: 80, bonuses: 20 }),
      createPoint('2026-11-10', 2_045, 1_900, { profit: 110, bonuses: 38 }),
    ],
    '2026-11-11',
  )
  const parts = { profit: 3_000n, referrals: 1_800n, costs: 300n }
  expect(computeGain(holdings, FROM)).toEqual({ minor: 4_500n, ...parts })
})

test('costs that exceed the referral bonuses reduce the gain below the profit', () => {
  const holdings = toHoldings(
    [createPoint(FROM, 1_000, 1_000), createPoint('2026-11-10', 1_002, 1_000, { profit: 3 })],
    '2026-11-11',
  )
  const parts = { profit: 300n, referrals: 0n, costs: 100n }
  expect(computeGain(holdings, FROM)).toEqual({ minor: 200n, ...parts })
})

test('bonuses that are not summed yet are no negative costs', () => {
  const holdings = toHoldings(
    [createPoint(FROM, 1_000, 1_000), createPoint('2026-11-10', 1_008, 1_000, { profit: 3 })],
    '2026-11-11',
  )
  const parts = { profit: 300n, referrals: 500n, costs: 0n }
  expect(computeGain(holdings, FROM)).toEqual({ minor: 800n, ...parts })
})

test('an account that is younger than the period begins with nothing', () => {
  const point = createPoint('2026-11-09', 110, 100, { profit: 10 })
  const young = toHoldings([point], '2026-11-11')
  expect(computeGain(young, FROM)).toEqual({
    minor: 1_000n,
    profit: 1_000n,
    referrals: 0n,
    costs: 0n,
  })
  // A balance at the start of the period is not counted as a gain of the period.
  expect(computeGain(young, '2026-11-09')).toEqual({
    minor: 0n,
    profit: 0n,
    referrals: 0n,
    costs: 0n,
  })
})

test('without a history there is no gain', () => {
  expect(computeGain([], FROM)).toBeNull()
})
