import { expect, test } from 'vitest'
import { describeAnswer, describeCopied } from './describe-ledger.ts'

const NOW_MS = Date.parse('2026-11-27T12:00:00.000Z')

test('a ledger that does not answer is named with the time, and has no size', () => {
  const describe = (size: number | null, answeredAt: string | null) =>
    describeAnswer({ size, answeredAt }, NOW_MS)
  expect(describe(0, null)).toBe('Reachable')
  expect(describe(null, null)).toBe('Has not answered yet')
  expect(describe(null, '2026-11-27T11:59:59.000Z')).toBe('Has not answered for 1 second')
  expect(describe(null, '2026-11-27T11:59:01.000Z')).toBe('Has not answered for 59 seconds')
  expect(describe(null, '2026-11-27T11:30:30.000Z')).toBe('Has not answered for 29 minutes')
  expect(describe(null, '2026-11-26T12:00:00.000Z')).toBe('Has not answered for 24 hours')
})

test('a copy is described by the events of the first ledger, if it answers', () => {
  expect(describeCopied({ through: 0, size: 1_552 })).toBe('0 of 1,552 events read')
  expect(describeCopied({ through: 1_552, size: null })).toBe('1,552 events read')
})
