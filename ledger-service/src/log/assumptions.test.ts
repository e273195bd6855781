import { expect, test } from 'vitest'
import { createEntry } from '../../test/support/queue-entry.ts'
import { createAssumptions } from './assumptions.ts'
import { createStateTable } from './table.ts'

const table = createStateTable('shelf', 'name', { name: 'text' })

/** Returns the number of commands that are looked up before the first command without a lookup. */
function countLookups(assumptions: ReturnType<typeof createAssumptions>): number {
  let count = 0
  while (assumptions.needsLookup(createEntry(null))) count += 1
  return count
}

test('recent keys are looked up, and the oldest are forgotten', () => {
  const assumptions = createAssumptions({ keysMin: 2, cautionMin: 1 })
  const needsLookup = (key: string) => assumptions.needsLookup(createEntry(key))
  expect(needsLookup('a')).toBe(false)
  assumptions.addKeys([createEntry('a'), createEntry(null), createEntry('b')])
  expect([needsLookup('a'), needsLookup('b'), needsLookup('c')]).toEqual([true, true, false])
  // A repetition makes the key recent again.
  assumptions.addKeys([createEntry('a')])
  assumptions.addKeys([createEntry('c')])
  expect([needsLookup('a'), needsLookup('b'), needsLookup('c')]).toEqual([true, false, true])
})

test('commands are looked up after a start, and longer after each conflict that follows soon', () => {
  const assumptions = createAssumptions({ cautionMin: 10 })
  expect(countLookups(assumptions)).toBe(0)
  assumptions.startCautiously()
  expect(countLookups(assumptions)).toBe(10)
  const lookups = Array.from({ length: 8 }, () => {
    assumptions.reportConflict()
    return countLookups(assumptions)
  })
  expect(lookups).toEqual([10, 20, 40, 80, 160, 320, 640, 640])
  for (let count = 0; count < 10_000; count += 1) assumptions.needsLookup(createEntry(null))
  assumptions.reportConflict()
  expect(countLookups(assumptions)).toBe(10)
})

test('a refusal is final only if it depends on no assumption', () => {
  const { mayRefuse } = createAssumptions()
  const [read, created] = [
    { table, key: 'a' },
    { table, key: 'b', isCreated: true },
  ] as const
  expect(mayRefuse(createEntry(null), [read])).toBe(true)
  expect(mayRefuse(createEntry(null), [read, created])).toBe(false)
  expect(mayRefuse(createEntry('key'), [read])).toBe(false)
  expect(mayRefuse({ ...createEntry('key'), isLookedUp: true }, [created])).toBe(true)
})
