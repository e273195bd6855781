import { expect, test } from 'vitest'
import { getLastDayOfMonth } from './last-day-of-month.ts'

test('the last day of a month is the day before the next month, in UTC', () => {
  expect(getLastDayOfMonth(Date.parse('2026-11-28T01:15:00Z'))).toBe('2026-11-30')
  expect(getLastDayOfMonth(Date.parse('2026-12-31T23:59:59Z'))).toBe('2026-12-31')
  expect(getLastDayOfMonth(Date.parse('2028-02-01T00:30:00+01:00'))).toBe('2028-01-31')
  expect(getLastDayOfMonth(Date.parse('2028-02-01T00:30:00Z'))).toBe('2028-02-29')
})
