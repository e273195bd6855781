import { randomBytes } from 'node:crypto'
import { createId } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { transactionTable } from '../domain/transactions/transaction.ts'
import { createHashMark, createKeyFilter, createRowMark } from './key-filter.ts'

const ROOM = 2 ** 16

test.each([
  ['hashes', () => createHashMark(randomBytes(32))],
  ['ids', () => createRowMark(transactionTable, createId(Date.now()))],
  ['rows of numbered keys', createNumberedKeys()],
])('a filter of %s finds each that was added, and hardly another when it is full', (_, make) => {
  const filter = createKeyFilter(ROOM)
  const used = Array.from({ length: ROOM }, make)
  for (const mark of [...used, ...used]) filter.add(mark)
  expect(filter.isFull()).toBe(false)
  for (let more = 0; more < ROOM / 100; more += 1) filter.add(make())
  expect(filter.isFull()).toBe(true)

  expect(used.every(filter.mayHave)).toBe(true)
  const others = Array.from({ length: ROOM }, make)
  // About 66 false positives are expected (one in a thousand). Twice as many are practically
  // impossible.
  expect(others.filter(filter.mayHave).length).toBeLessThan((2 * ROOM) / 1_000)
})

test('an empty filter has no key', () => {
  expect(createKeyFilter(ROOM).mayHave(createHashMark(randomBytes(32)))).toBe(false)
})

/** Returns a function that makes keys that differ only in a number. */
function createNumberedKeys() {
  let next = 0
  return () => {
    next += 1
    return createRowMark(transactionTable, `investor:${next}:balance`)
  }
}
