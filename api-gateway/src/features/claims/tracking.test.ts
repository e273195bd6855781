import { expect, test } from 'vitest'
import type { ClaimFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

function judge(deliveries: ClaimFacts['deliveries']) {
  // The cast is safe because this rule reads only the deliveries.
  const { state, text } = CLAIM_RULES['real-time-tracking'].judge({ deliveries } as ClaimFacts)
  return { state, text }
}

test('real-time tracking is proved by measured deliveries only', () => {
  const withheld = { state: 'withheld', text: 'Pages that are open show changes by themselves' }
  expect(judge({ count: 0, p90Ms: 0 })).toEqual(withheld)
  expect(judge({ count: 19, p90Ms: 10 })).toEqual(withheld)
  expect(judge({ count: 20, p90Ms: 2_000 })).toEqual({
    state: 'proved',
    text: 'Real-time tracking',
  })
  expect(judge({ count: 1_000, p90Ms: 2_001 })).toEqual(withheld)
})
