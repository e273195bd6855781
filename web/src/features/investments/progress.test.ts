import { expect, test } from 'vitest'

import { describeProgress } from './progress.ts'

test('progress counts the ended units of the term', () => {
  expect(
    describeProgress({
      currentLevel: 3,
      totalDuration: 30,
      timingParameter: 'days',
      percentage: 10,
    }),
  ).toEqual({ percent: 10, words: '3 of 30 days' })
})

test('progress stops at the whole term', () => {
  expect(
    describeProgress({
      currentLevel: 31,
      totalDuration: 30,
      timingParameter: 'days',
      percentage: 103.3,
    }),
  ).toEqual({ percent: 100, words: '30 of 30 days' })
})

test('a term of one unit is in the singular', () => {
  const hourly = { currentLevel: 0, totalDuration: 1, timingParameter: 'hours', percentage: 0 }
  expect(describeProgress({ ...hourly, timingParameter: 'hours' }).words).toBe('0 of 1 hour')
})
