import type { LedgerInvestment } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'

import { computeForecast } from './forecast.ts'

/** An hourly plan that starts at midnight in Berlin, on the 25-hour day on which clocks go back. */
const hourly = {
  unit: 'hours',
  duration: 25,
  unitsDone: 0,
  startedAt: '2026-10-24T22:00:00.000Z',
  promisedMinor: 2_500n,
  principalMinor: 10_000n,
  returnPrincipal: true,
  // The cast is safe because the forecast reads only these properties.
} as LedgerInvestment

test('profit is counted on the local day on which it is credited, also on a day of 25 hours', () => {
  expect(computeForecast([hourly], 'Europe/Berlin').points).toEqual([
    { day: '2026-10-25', profit: 24, principal: 0 },
    { day: '2026-10-26', profit: 1, principal: 100 },
  ])
  expect(computeForecast([hourly], 'UTC').points).toEqual([
    { day: '2026-10-24', profit: 1, principal: 0 },
    { day: '2026-10-25', profit: 24, principal: 100 },
  ])
})

test('the sum is the promised profit, in every time zone', () => {
  for (const timeZone of ['UTC', 'Asia/Kathmandu', 'America/Havana', 'Pacific/Kiritimati']) {
    expect(computeForecast([hourly], timeZone)).toMatchObject({ profit: 25, principal: 100 })
  }
})
