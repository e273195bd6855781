import { expect, test } from 'vitest'

import { describeVerification } from './describe-verification.ts'

test.each([
  [{ state: 'running', since: '0', done: '0', of: '0' }, 'The verification has started.'],
  [
    { state: 'running', since: '0', done: '500', of: '1567' },
    '500 of 1,567 events checked so far.',
  ],
  [
    { state: 'agrees', since: '0', done: '1567', of: '1567' },
    'The ledger agrees with its events: all 1,567 events were checked.',
  ],
  [
    { state: 'agrees', since: '1000000000000000', done: '1', of: '1' },
    'The ledger agrees with its events: 1 event after the last verified state was checked.',
  ],
  [
    { state: 'differs', since: '0', done: '20', of: '20' },
    'The ledger differs from its events: all 20 events were checked.',
  ],
  [
    { state: 'cut-off', since: '0', done: '0', of: '0' },
    'The verification was interrupted before it had a result.',
  ],
] as const)('a verification is described by its result: %j', (run, sentence) => {
  expect(describeVerification(run)).toBe(sentence)
})
