import { expect, test } from 'vitest'

import { firstDayOf } from './ranges.ts'

const now = new Date(Date.UTC(2026, 4, 31, 23, 30))

test.each([
  ['1W', '2026-05-24'],
  ['1M', '2026-04-30'],
  ['3M', '2026-02-28'],
  ['YTD', '2026-01-01'],
  ['1Y', '2025-05-31'],
] as const)('%s begins on %s', (range, day) => {
  expect(firstDayOf(range, now)).toBe(day)
})

test('everything has no first day', () => {
  expect(firstDayOf('MAX', now)).toBeUndefined()
})
