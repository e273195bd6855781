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
    'The ledger agrees with its events: all 1,567 events until then were checked.',
  ],
  [
    { state: 'agrees', since: '1000000000000000', done: '1', of: '1' },
    'The ledger agrees with its events: 1 event after the last verified state was checked.',
  ],
  [
    { state: 'differs', since: '0', done: '20', of: '20' },
    'The ledger differs from its events: all 20 events until then were checked.',
  ],
  [
    { state: 'cut-off', since: '0', done: '0', of: '0' },
    'The verification was interrupted before it had a result.',
  ],
] as const)('a verification is described by its result: %j', (run, sentence) => {
  expect(describeVerification(run, null)).toBe(sentence)
})

test('events after a verification are counted, if a newer checkpoint is known', () => {
  const run = { state: 'agrees', since: '0', done: '1551', of: '1551' } as const
  const describe = (signed: string) => describeVerification(run, signed)
  expect(describe('1572')).toBe(
    'The ledger agrees with its events: 1,551 of the 1,572 signed events were checked; 21 are newer.',
  )
  expect(describe('1552')).toMatch(/; 1 is newer\.$/)
  // An older checkpoint says nothing about newer events.
  for (const signed of ['1551', '1500']) {
    expect(describe(signed)).toBe(
      'The ledger agrees with its events: all 1,551 events until then were checked.',
    )
  }
})
