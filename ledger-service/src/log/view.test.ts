import { expect, test } from 'vitest'
import { createStateTable, getInsertOnly } from './table.ts'
import { createCache } from './view.ts'

const table = createStateTable('shelf', 'name', { name: 'text', count: 'int8' })

function createShelves() {
  const cache = createCache({ tables: [table], pinned: [] })
  cache.load(table, 'a', { name: 'a', count: 1n })
  cache.load(table, 'b', null)
  return cache
}

test('a fork reads its own changes, and the cache keeps its rows until they are applied', () => {
  const cache = createShelves()
  const fork = cache.fork()
  expect([fork.find(table, 'a'), fork.find(table, 'b')]).toEqual([{ name: 'a', count: 1n }, null])
  expect(fork.peek(table, 'c')).toBeUndefined()
  expect(() => fork.find(table, 'c')).toThrow('was not loaded')

  fork.put(table, { name: 'a', count: 2n })
  fork.put(table, { name: 'c', count: 3n })
  expect([fork.find(table, 'a')?.count, fork.peek(table, 'c')?.count]).toEqual([2n, 3n])
  expect([fork.has({ table, key: 'c' }), fork.has({ table, key: 'b' })]).toEqual([true, false])
  expect(cache.find(table, 'a')?.count).toBe(1n)
  expect(cache.peek(table, 'c')).toBeUndefined()
  expect(cache.getChanges().size).toBe(0)

  fork.apply()
  expect(cache.find(table, 'a')?.count).toBe(2n)
  expect(cache.getChanges().get(table)).toEqual([{ name: 'a', count: 2n }])
  expect(cache.getChanges().get(getInsertOnly(table))).toEqual([{ name: 'c', count: 3n }])
})

test('a discarded fork changes nothing', () => {
  const cache = createShelves()
  cache.fork().put(table, { name: 'a', count: 2n })
  expect(cache.find(table, 'a')?.count).toBe(1n)
  expect(cache.getChanges().size).toBe(0)
})

test('a row is new in the batch that creates it, and known in later batches', () => {
  const cache = createShelves()
  cache.put(table, { name: 'b', count: 1n })
  cache.put(table, { name: 'b', count: 2n })
  expect(cache.getChanges().get(getInsertOnly(table))).toEqual([{ name: 'b', count: 2n }])
  expect(cache.getChanges().get(table)).toEqual([])

  expect([...(cache.closeChanges().get(table)?.keys() ?? [])]).toEqual(['b'])
  expect(cache.getChanges().size).toBe(0)
  cache.put(table, { name: 'b', count: 3n })
  expect(cache.getChanges().get(getInsertOnly(table))).toEqual([])
  expect(cache.getChanges().get(table)).toEqual([{ name: 'b', count: 3n }])
})

test('rows of a pinned table and kept rows are not evicted', () => {
  const pinned = createStateTable('rule', 'name', { name: 'text' })
  const cache = createCache({ tables: [table, pinned], pinned: [pinned] }, 2)
  for (const name of ['a', 'b', 'c']) {
    cache.load(pinned, name, { name })
    cache.put(table, { name, count: 1n })
  }
  cache.evict(new Map([[table, new Map([['a', { before: null, row: {} }]])]]))
  const names = ['a', 'b', 'c']
  expect(names.map((name) => cache.peek(table, name) !== undefined)).toEqual([true, false, false])
  expect(names.map((name) => cache.peek(pinned, name) !== undefined)).toEqual([true, true, true])
})

test('an assumed absence is enough only for the command that creates the row', () => {
  const cache = createShelves()
  const [read, created] = [
    { table, key: 'c' },
    { table, key: 'c', isCreated: true },
  ] as const
  expect(cache.listMissingNeeds([created], false)).toEqual([created])
  for (const key of ['a', 'b', 'c']) cache.assumeAbsent({ table, key })
  expect(cache.find(table, 'a')?.count).toBe(1n)
  expect([cache.find(table, 'c'), cache.isAssumed(created)]).toEqual([null, true])
  expect(cache.listMissingNeeds([created], false)).toEqual([])
  expect(cache.listMissingNeeds([created], true)).toEqual([created])
  expect(cache.listMissingNeeds([read], false)).toEqual([read])

  cache.put(table, { name: 'c', count: 1n })
  expect([cache.listMissingNeeds([created, read], true), cache.isAssumed(read)]).toEqual([
    [],
    false,
  ])
  expect(cache.getChanges().get(getInsertOnly(table))).toEqual([{ name: 'c', count: 1n }])
})

test('changes of two batches are undone to the rows before the first', () => {
  const cache = createShelves()
  cache.assumeAbsent({ table, key: 'c' })
  for (const name of ['a', 'b', 'c', 'd']) cache.put(table, { name, count: 2n })
  const closed = cache.closeChanges()
  for (const name of ['a', 'c', 'e']) cache.put(table, { name, count: 3n })
  cache.undoChanges(closed)
  expect(cache.getChanges().size).toBe(0)
  expect([cache.find(table, 'a')?.count, cache.find(table, 'b')]).toEqual([1n, null])
  expect(cache.isAssumed({ table, key: 'c' })).toBe(true)
  expect([cache.peek(table, 'd'), cache.peek(table, 'e')]).toEqual([undefined, undefined])
})
