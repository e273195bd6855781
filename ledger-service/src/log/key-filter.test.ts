import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyFilter } from './key-filter.ts'

const ROOM = 2 ** 16

test('a filter finds every key that was added, and hardly another when it is full', () => {
  const filter = createKeyFilter(ROOM)
  const used = randomBytes(ROOM * 32)
  for (let at = 0; at < used.length; at += 32) filter.add(used, at)
  expect(filter.isFull()).toBe(false)
  filter.add(randomBytes(32))
  expect(filter.isFull()).toBe(true)

  for (let at = 0; at < used.length; at += 32) {
    expect(filter.mayHave(used.subarray(at, at + 32))).toBe(true)
  }
  const others = Array.from({ length: ROOM }, () => randomBytes(32))
  // One in a thousand is expected: 66, and twice as many never by chance.
  expect(others.filter(filter.mayHave).length).toBeLessThan((2 * ROOM) / 1_000)
})

test('an empty filter has no key', () => {
  expect(createKeyFilter(ROOM).mayHave(randomBytes(32))).toBe(false)
})
