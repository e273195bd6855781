import { expect, test } from 'vitest'
import { describeAnswer, describeCopy } from './describe-ledger.ts'

const NOW_MS = Date.parse('2026-11-27T12:00:00.000Z')

test('a ledger that does not answer is named with the time, and has no size', () => {
  const describe = (size: number | null, answeredAt: string | null) =>
    describeAnswer({ size, answeredAt }, NOW_MS)
  expect(describe(0, null)).toBe('Answers')
  expect(describe(null, null)).toBe('Has not answered yet')
  expect(describe(null, '2026-11-27T11:59:59.000Z')).toBe('Has not answered for 1 second')
  expect(describe(null, '2026-11-27T11:59:01.000Z')).toBe('Has not answered for 59 seconds')
  expect(describe(null, '2026-11-27T11:30:30.000Z')).toBe('Has not answered for 29 minutes')
  expect(describe(null, '2026-11-26T12:00:00.000Z')).toBe('Has not answered for 24 hours')
})

test('a copy is complete only if the server says so', () => {
  const rules = { through: 7, size: 7, isComplete: false, problem: null }
  expect(describeCopy({ rules: null })).toBe('Source of the others')
  expect(describeCopy({ rules })).toBe('7 of 7 events')
  expect(describeCopy({ rules: { ...rules, size: null } })).toBe('7 events')
  expect(describeCopy({ rules: { ...rules, isComplete: true } })).toBe('Complete')
  expect(describeCopy({ rules: { ...rules, isComplete: true, problem: 'lost' } })).toBe('Stopped')
})
