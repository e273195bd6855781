import { expect, test } from 'vitest'

import { formatDate } from './format-date.ts'

const noPreferences = { language: null, timeZone: 'UTC' }
const at = '2026-01-05T23:30:00Z'

test.each([
  ['moment', 'Jan 5, 2026, 11:30 PM'],
  ['short', 'Jan 5, 11:30 PM'],
  ['day', 'Jan 5, 2026'],
  ['month', 'Jan'],
  ['time', '11:30 PM'],
  ['exact', '2026-01-05 23:30:00 +00:00'],
] as const)('without a choice, %s is %s', (format, text) => {
  expect(formatDate(at, format, noPreferences)).toBe(text)
})

test.each([
  ['de-DE', 'Europe/Berlin', '6. Jan. 2026, 00:30'],
  ['en-GB', 'Asia/Kolkata', '6 Jan 2026, 05:00'],
  ['en-US', 'America/New_York', 'Jan 5, 2026, 6:30 PM'],
  // The Gregorian calendar is used, because the Thai calendar would show the year 2569.
  ['th-TH', 'UTC', '5 ม.ค. 2026, 23:30'],
])('as in %s, in %s', (language, timeZone, text) => {
  expect(formatDate(at, 'moment', { language, timeZone })).toBe(text)
})

test('a time is written with the offset of its own day', () => {
  const berlin = { language: null, timeZone: 'Europe/Berlin' }
  // The clocks go back by one hour in this night, so half past two occurs twice.
  expect(formatDate('2026-10-25T00:30:00Z', 'exact', berlin)).toBe('2026-10-25 02:30:00 +02:00')
  expect(formatDate('2026-10-25T01:30:00Z', 'exact', berlin)).toBe('2026-10-25 02:30:00 +01:00')
})

test('a day without a time is the same day everywhere', () => {
  const west = { language: null, timeZone: 'Pacific/Pago_Pago' }
  expect(formatDate('2026-11-21', 'day', west)).toBe('Nov 21, 2026')
  expect(formatDate('2026-11-21', 'dayOfYear', west)).toBe('Nov 21')
})

test('an invalid date is shown as unknown', () => {
  expect(formatDate('soon', 'day', noPreferences)).toBe('Unknown')
})
