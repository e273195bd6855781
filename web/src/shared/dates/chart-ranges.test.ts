import { expect, test } from 'vitest'

import { getFirstDayOfRange } from './chart-ranges.ts'

test.each([
  ['1W', '2026-05-24'],
  ['1M', '2026-04-30'],
  ['3M', '2026-02-28'],
  ['YTD', '2025-12-31'],
  ['1Y', '2025-05-31'],
  ['MAX', '2016-06-02'],
] as const)('%s begins on %s', (range, day) => {
  expect(getFirstDayOfRange(range, '2026-05-31')).toBe(day)
})

test('the first of January counts in its year', () => {
  expect(getFirstDayOfRange('YTD', '2026-01-01')).toBe('2025-12-31')
})
