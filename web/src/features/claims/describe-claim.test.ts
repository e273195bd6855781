import { expect, test } from 'vitest'

import { describeReasons, getShownState } from './describe-claim.ts'

const getState = (state: 'proved' | 'stated' | 'withheld', text: string, isDemo = false) =>
  getShownState({ state, text }, { isDemo })

test('a claim without evidence is hidden only if no text takes its place', () => {
  expect(getState('withheld', 'Requests are reviewed')).toBe('weaker')
  expect(getState('withheld', '')).toBe('hidden')
  expect(getState('proved', 'Real-time tracking')).toBe('proved')
})

test('a demo proves nothing, and does not change what its operator states', () => {
  expect(getState('proved', 'Real-time tracking', true)).toBe('demo')
  expect(getState('stated', 'Weekdays', true)).toBe('stated')
  expect(getState('withheld', '', true)).toBe('hidden')
})

test('the reasons form one sentence', () => {
  expect(describeReasons(['One admin has no second factor', 'Withdrawals wait'])).toBe(
    'One admin has no second factor; withdrawals wait',
  )
  expect(describeReasons(['TLS is off', 'GDPR text is missing'])).toBe(
    'TLS is off; GDPR text is missing',
  )
})
