import { expect, test } from 'vitest'
import { createStateTable } from './table.ts'
import { createCache } from './view.ts'

const table = createStateTable('shelf', 'name', { name: 'text', count: 'int8' })

function createShelves() {
  const cache = createCache([table])
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
  expect(cache.getChanges().get(table)).toEqual([
    { name: 'a', count: 2n },
    { name: 'c', count: 3n },
  ])
})

test('a discarded fork changes nothing', () => {
  const cache = createShelves()
  cache.fork().put(table, { name: 'a', count: 2n })
  expect(cache.find(table, 'a')?.count).toBe(1n)
  expect(cache.getChanges().size).toBe(0)
})
