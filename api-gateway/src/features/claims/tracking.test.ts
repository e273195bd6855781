import { expect, test } from 'vitest'
import type { ClaimFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

function judge(deliveries: ClaimFacts['deliveries']) {
  // The cast is safe because this rule reads only the deliveries.
  const { state, text } = CLAIM_RULES['real-time-tracking'].judge({ deliveries } as ClaimFacts)
  return { state, text }
}

test('real-time tracking is proved by measured deliveries only', () => {
  const unmeasured = {
    state: 'withheld',
    text: 'Open pages show changes by themselves, but this is not yet measured often enough to claim',
  }
  expect(judge({ count: 0, p90Ms: 0 })).toEqual(unmeasured)
  expect(judge({ count: 19, p90Ms: 10 })).toEqual(unmeasured)
  expect(judge({ count: 20, p90Ms: 2_000 })).toEqual({
    state: 'proved',
    text: 'Real-time tracking',
  })
  expect(judge({ count: 1_000, p90Ms: 2_001 })).toEqual({
    state: 'withheld',
    text: 'Open pages show changes by themselves, but one change out of ten takes longer than two seconds',
  })
})
