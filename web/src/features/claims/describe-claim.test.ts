import { expect, test } from 'vitest'

import { describeReasons, getShownState } from './describe-claim.ts'

test('a claim without evidence is hidden only if no text takes its place', () => {
  expect(getShownState({ state: 'withheld', text: 'Requests are reviewed' })).toBe('weaker')
  expect(getShownState({ state: 'withheld', text: '' })).toBe('hidden')
  expect(getShownState({ state: 'proved', text: 'Proved' })).toBe('proved')
})

test('the reasons form one sentence', () => {
  expect(describeReasons(['One admin has no second factor', 'Withdrawals wait'])).toBe(
    'One admin has no second factor; withdrawals wait',
  )
  expect(describeReasons(['TLS is off', 'GDPR text is missing'])).toBe(
    'TLS is off; GDPR text is missing',
  )
})
