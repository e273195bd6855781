import { expect, test } from 'vitest'
import { computeGain, formatGainPercent } from './gain.ts'
import { toHoldings } from './series.ts'

const FROM = '2026-11-01'

function createPoint(day: string, available: number, paidIn: number, credited = 0) {
  return { day, available, held: 0, invested: 0, profit: 0, paidIn, credited }
}

test('deposits, withdrawals and fundings in the period are no gain', () => {
  const holdings = toHoldings(
    [
      createPoint(FROM, 1_000, 900),
      createPoint('2026-11-06', 2_500, 2_400),
      createPoint('2026-11-08', 2_900, 2_400, 400),
      createPoint('2026-11-10', 2_500, 2_000, 400),
    ],
    '2026-11-11',
  )
  expect(computeGain(holdings, FROM)).toEqual({ minor: 0n, tenths: 0n })
})

test('the gain of a period is a percentage of the average amount, by days', () => {
  // For 5 days $1,000 and for 5 days $2,000, so $1,500 on average.
  const holdings = toHoldings(
    [
      createPoint(FROM, 1_000, 900),
      createPoint('2026-11-06', 2_000, 1_900),
      createPoint('2026-11-10', 2_045, 1_900),
    ],
    '2026-11-11',
  )
  expect(computeGain(holdings, FROM)).toEqual({ minor: 4_500n, tenths: 30n })
})

test('an account that is younger than the period begins with nothing', () => {
  const young = toHoldings([createPoint('2026-11-09', 110, 100)], '2026-11-11')
  expect(computeGain(young, FROM)).toEqual({ minor: 1_000n, tenths: 100n })
  const today = toHoldings([createPoint('2026-11-11', 99, 100)], '2026-11-11')
  expect(computeGain(today, FROM)).toEqual({ minor: -100n, tenths: -10n })
  // A balance at the start of the period is not counted as a gain of the period.
  expect(computeGain(young, '2026-11-09')).toEqual({ minor: 0n, tenths: 0n })
})

test('without money there is no percentage, and without a history no gain', () => {
  const holdings = toHoldings([createPoint('2026-11-05', 5, 0)], '2026-11-11')
  expect(computeGain(holdings, FROM)).toEqual({ minor: 500n, tenths: null })
  expect(computeGain([], FROM)).toBeNull()
})

test('a percentage shows its sign and one decimal', () => {
  expect([152n, -5n, 0n, 1_000n].map(formatGainPercent)).toEqual([
    '+15.2%',
    '\u22120.5%',
    '0.0%',
    '+100.0%',
  ])
})
