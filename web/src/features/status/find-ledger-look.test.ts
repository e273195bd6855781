import { expect, test } from 'vitest'
import { findLedgerLook } from './find-ledger-look.ts'

const [NIGHT, LATER] = ['2026-11-26T02:00:00.000Z', '2026-11-26T09:00:00.000Z']

test('the newest result decides, also while a newer run has no result', () => {
  const agrees = { state: 'agrees', startedAt: NIGHT } as const
  const differs = { state: 'differs', startedAt: LATER } as const
  expect(findLedgerLook([agrees])).toEqual({ look: 'agrees', verifiedAt: NIGHT })
  expect(findLedgerLook([differs, agrees])).toEqual({ look: 'differs', verifiedAt: LATER })
  const running = { state: 'running', startedAt: LATER } as const
  expect(findLedgerLook([running, agrees])).toEqual({ look: 'agrees', verifiedAt: NIGHT })
})

test('a ledger without a result is never shown as verified', () => {
  const cutOff = { state: 'cut-off', startedAt: NIGHT } as const
  const running = { state: 'running', startedAt: LATER } as const
  expect(findLedgerLook([]).look).toBe('unverified')
  expect(findLedgerLook([cutOff]).look).toBe('unverified')
  expect(findLedgerLook([running, cutOff]).look).toBe('running')
  expect(findLedgerLook(undefined).look).toBe('unknown')
})
