import { expect, test } from 'vitest'
import { createEntry } from '../../test/support/queue-entry.ts'
import { shareMemory } from './shared-memory.ts'
import { createStateTable } from './table.ts'

const KEYS = 4_000
const table = createStateTable('shelf', 'name', { name: 'text' })
const NAMES = Array.from({ length: KEYS }, (_, index) => `name ${index}`)

/** Returns whether a writer of a service with this number of ledgers remembers the oldest key. */
function remembersOldestKey(ledgers: number): boolean {
  const assumptions = shareMemory(ledgers).createAssumptions()
  for (const name of NAMES) assumptions.addKeys([createEntry(name)])
  return assumptions.needsLookup(createEntry(NAMES[0] ?? ''))
}

function keepsOldestRow(ledgers: number): boolean {
  const cache = shareMemory(ledgers).createCache({ tables: [table], pinned: [] })
  for (const name of NAMES) cache.load(table, name, { name })
  cache.evict(new Map())
  return cache.peek(table, NAMES[0] ?? '') !== undefined
}

test.each([1, 16])('with %d ledgers, each writer keeps as much as a single one', (ledgers) => {
  expect([remembersOldestKey(ledgers), keepsOldestRow(ledgers)]).toEqual([true, true])
})

test('with a thousand ledgers, each writer keeps a share', () => {
  expect([remembersOldestKey(1_000), keepsOldestRow(1_000)]).toEqual([false, false])
})
