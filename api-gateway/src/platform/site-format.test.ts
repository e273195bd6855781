import { afterEach, expect, test } from 'vitest'

import {
  formatDay,
  formatExactMoney,
  formatMoney,
  formatSiteTime,
  setSiteFormat,
} from './site-format.ts'

// Test files of one worker share the module, so each test restores the defaults.
afterEach(() => setSiteFormat({ currency: 'USD', timeZone: 'UTC' }))

const at = '2026-07-01T22:30:00.000Z'

test('amounts and times are formatted as before any settings are loaded', () => {
  expect(formatMoney(125_050n)).toBe('$1,250.50')
  expect(formatMoney(2_000n)).toBe('$20')
  expect(formatExactMoney(-2_000n)).toBe('-$20.00')
  expect(formatSiteTime(at)).toBe('2026-07-01 22:30 UTC')
  expect(formatDay(at)).toBe('Jul 1, 2026')
  expect(formatDay('2026-11-28')).toBe('Nov 28, 2026')
})

test('amounts and times follow the settings of the site', () => {
  setSiteFormat({ currency: 'EUR', timeZone: 'Europe/Berlin' })
  expect(formatMoney(125_050n)).toBe('€1,250.50')
  expect(formatSiteTime(new Date(at))).toBe('2026-07-02 00:30 Europe/Berlin')
  setSiteFormat({ currency: 'CHF', timeZone: 'UTC' })
  expect(formatExactMoney(-500n)).toBe('-CHF\u00a05.00')
})
