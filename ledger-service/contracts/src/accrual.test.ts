import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeCreditedThrough, computeUnitEnd, countElapsedUnits } from './accrual.ts'

const DAY_MS = 86_400_000

describe('profit of 25.00 over 30 days', () => {
  // The profit is 5 % of 500.00. Each of the 30 days gives 0.8333...
  const term = { promisedMinor: 2_500n, duration: 30 }

  test('is 0.83 after a day, 1.66 after two, 2.50 after three and 25.00 at the end', () => {
    const computeCreditedProfit = (units: number) => computeCreditedThrough({ ...term, units })
    expect([1, 2, 3, 29, 30].map(computeCreditedProfit)).toEqual([83n, 166n, 250n, 2_416n, 2_500n])
  })
})

test('the credited parts add up to the promise to the cent for any times of the runs', () => {
  const term = fc.record({
    promisedMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    duration: fc.integer({ min: 1, max: 5_000 }),
  })
  fc.assert(
    fc.property(term, fc.array(fc.integer({ min: 1, max: 5_000 })), (given, stops) => {
      const reached = stops.map((stop) => Math.min(stop, given.duration)).sort((a, b) => a - b)
      let credited = 0n
      for (const units of [...reached, given.duration]) {
        const next = computeCreditedThrough({ ...given, units })
        expect(next >= credited).toBe(true)
        credited = next
      }
      expect(credited).toBe(given.promisedMinor)
    }),
  )
})

test('units end exactly one hour or 24 hours apart, also at a change of daylight saving', () => {
  // The start is on the day before daylight saving ends in Europe.
  const startedAtMs = Date.parse('2026-10-24T12:00:00.000Z')
  const term = { startedAtMs, unit: 'days', duration: 30 } as const
  expect(countElapsedUnits({ ...term, nowMs: startedAtMs + 2 * DAY_MS - 1 })).toBe(1)
  expect(countElapsedUnits({ ...term, nowMs: startedAtMs + 2 * DAY_MS })).toBe(2)
  expect(countElapsedUnits({ ...term, nowMs: startedAtMs + 400 * DAY_MS })).toBe(30)
  expect(countElapsedUnits({ ...term, nowMs: startedAtMs - DAY_MS })).toBe(0)
  expect(computeUnitEnd({ startedAtMs, unit: 'days', units: 2 })).toBe(startedAtMs + 2 * DAY_MS)
})
