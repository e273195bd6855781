import { expect, test } from 'vitest'

import { describeReviewTime, describeWait } from './review-wait.ts'

test.each([
  [0, '1 minute'],
  [60_001, '2 minutes'],
  [119 * 60_000, '119 minutes'],
  [120 * 60_000, '2 hours'],
  [46.5 * 3_600_000, '47 hours'],
  [48 * 3_600_000, '2 days'],
  [49 * 3_600_000, '3 days'],
])('%s ms are %s', (ms, words) => {
  expect(describeWait(ms)).toBe(words)
})

test('the median is stated as the wait of half of the requests, not as the usual wait', () => {
  expect(describeReviewTime({ medianMs: 60_000, p90Ms: 2 * 3_600_000 })).toBe(
    'half were decided within 1 minute, nine out of ten within 2 hours',
  )
})
