import { expect, test } from 'vitest'
import { describeVerifiedPart, findLedgerLook } from './find-ledger-look.ts'

const [NIGHT, LATER] = ['2026-11-26T02:00:00.000Z', '2026-11-26T09:00:00.000Z']
const ALL = { since: '0', done: '1551' }
const PART = { since: '1551', done: '9' }

test('the newest result decides, also while a newer run has no result', () => {
  const agrees = { state: 'agrees', startedAt: NIGHT, ...ALL } as const
  const differs = { state: 'differs', startedAt: LATER, ...PART } as const
  expect(findLedgerLook([agrees])).toEqual({
    look: 'agrees',
    verifiedAt: NIGHT,
    verifiedTo: 1_551n,
  })
  expect(findLedgerLook([differs, agrees])).toEqual({
    look: 'differs',
    verifiedAt: LATER,
    verifiedTo: 1_560n,
  })
  const running = { state: 'running', startedAt: LATER, ...PART } as const
  expect(findLedgerLook([running, agrees])).toEqual({
    look: 'agrees',
    verifiedAt: NIGHT,
    verifiedTo: 1_551n,
  })
})

test('a ledger without a result is never shown as verified', () => {
  const cutOff = { state: 'cut-off', startedAt: NIGHT, ...ALL } as const
  const running = { state: 'running', startedAt: LATER, ...PART } as const
  expect(findLedgerLook([]).look).toBe('unverified')
  expect(findLedgerLook([cutOff]).look).toBe('unverified')
  expect(findLedgerLook([running, cutOff]).look).toBe('running')
  expect(findLedgerLook(undefined).look).toBe('unknown')
})

test('events after the verification are not called verified', () => {
  expect(describeVerifiedPart(1_551n, '1572')).toBe('Ledger adds up: 1,551 events, 21 unverified')
  expect(describeVerifiedPart(1_551n, '1551')).toBe('Ledger adds up: 1,551 events')
  expect(describeVerifiedPart(1_551n, '20')).toBe('Ledger adds up: 1,551 events')
  expect(describeVerifiedPart(1n, null)).toBe('Ledger adds up: 1 event')
  expect(describeVerifiedPart(1n, '2')).toBe('Ledger adds up: 1 event, 1 unverified')
})
