import { expect, test } from 'vitest'

import { computeTicks, createAxisMoneyFormat } from './chart-parts.tsx'

test.each([
  [0, '$0'],
  [999, '$999'],
  [1_250, '$1.3k'],
  [-2_000_000, '\u2212$2m'],
  [7_000_000_000, '$7bn'],
  [41_000_000_000_000, '$41tn'],
])('an axis shows %d as %s', (dollars, words) => {
  expect(createAxisMoneyFormat(false)(dollars)).toBe(words)
  expect(createAxisMoneyFormat(true)(dollars)).toBe('$•••')
})

test.each([
  [
    [0, 16_751.38],
    [0, 5_000, 10_000, 15_000, 20_000],
  ],
  [[24], [0, 5, 10, 15, 20, 25]],
  [
    [-300, 900],
    [-500, 0, 500, 1_000],
  ],
  [
    [0, 0],
    [0, 1],
  ],
  [[], [0, 1]],
])('the ticks of %j are the round numbers %j', (values, ticks) => {
  expect(computeTicks(values)).toEqual(ticks)
})
