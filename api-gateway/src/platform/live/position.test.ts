import { LIVE_POSITION } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'
import { BEFORE_ALL_EVENTS, FIRST_LEDGER, formatPosition, parsePosition } from './position.ts'

test.each(['0', '123', '-1', '123,2:45', '7,2:-1,10:3'])('the id %s stays the same', (id) => {
  expect(LIVE_POSITION.test(id)).toBe(true)
  expect(formatPosition(parsePosition(id))).toBe(id)
})

test('an id names the ledgers in one order, and nothing while one is not known', () => {
  const position = new Map<number, bigint | null>([
    [3, 5n],
    [FIRST_LEDGER, 9n],
    [2, BEFORE_ALL_EVENTS],
  ])
  expect(formatPosition(position)).toBe('9,2:-1,3:5')
  expect(formatPosition(position.set(2, null))).toBeNull()
})

test.each(['', 'x', '1,', '1,2', '1:2', '1,2:', `1${',2:3'.repeat(1_001)}`])(
  '%j is not an id',
  (id) => {
    expect(LIVE_POSITION.test(id)).toBe(false)
  },
)
