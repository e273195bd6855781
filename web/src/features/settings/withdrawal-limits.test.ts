import { expect, test } from 'vitest'
import type { PublicSettings } from './queries.ts'
import { describeWithdrawalLimits } from './withdrawal-limits.ts'

test.each([
  { day: null, month: null, words: null },
  { day: 500, month: null, words: '$500 a day' },
  { day: null, month: 3_000, words: '$3,000 a month' },
  { day: 500, month: 3_000, words: '$500 a day and $3,000 a month' },
])('$day a day, $month a month: $words', ({ day, month, words }) => {
  const limits = { dailyWithdrawalLimit: day, monthlyWithdrawalLimit: month }
  expect(describeWithdrawalLimits(limits as PublicSettings)).toBe(words)
})
