import { expect, test } from 'vitest'

import { periodStart } from './periods.ts'

// 21 November 2026 is a Saturday.
const saturday = new Date(2026, 10, 21, 15, 30)

test('a day begins at midnight and a month on its first day', () => {
  expect(periodStart('today', saturday)).toEqual(new Date(2026, 10, 21))
  expect(periodStart('month', saturday)).toEqual(new Date(2026, 10, 1))
})

test('a week begins on Monday, also for a Sunday and across months', () => {
  expect(periodStart('week', saturday)).toEqual(new Date(2026, 10, 16))
  expect(periodStart('week', new Date(2026, 10, 22, 9))).toEqual(new Date(2026, 10, 16))
  expect(periodStart('week', new Date(2026, 10, 16, 0, 1))).toEqual(new Date(2026, 10, 16))
  expect(periodStart('week', new Date(2026, 10, 1, 9))).toEqual(new Date(2026, 9, 26))
})
