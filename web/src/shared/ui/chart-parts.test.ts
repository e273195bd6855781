import { expect, test } from 'vitest'

import { createAxisMoneyFormat } from './chart-parts.tsx'

test.each([
  [0, '$0'],
  [999, '$999'],
  [1_250, '$1.3k'],
  [-2_000_000, '\u2212$2m'],
  [7_000_000_000, '$7bn'],
  [41_000_000_000_000, '$41tn'],
])('an axis says %d as %s', (dollars, words) => {
  expect(createAxisMoneyFormat(false)(dollars)).toBe(words)
  expect(createAxisMoneyFormat(true)(dollars)).toBe('$•••')
})
