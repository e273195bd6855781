import { expect, test } from 'vitest'
import { createEntry, createLinkedEntry } from '../../test/support/queue-entry.ts'
import type { Entry, LinkedEntry, SingleEntry } from './entry.ts'
import { createQueue, QUEUED_MAX } from './queue.ts'

/** Each entry counts 100 bytes of the queue. */
function createEntries(count: number, name: string): SingleEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    ...createEntry(`${name}-${index}`),
    bytes: 100,
  }))
}

function createGroup(length: number): LinkedEntry {
  return { ...createLinkedEntry(createEntries(length, 'linked')), bytes: 100 }
}

const FRESH = { taken: 0, max: 500 }

const listNames = (taken: readonly Entry[]) =>
  taken.map((entry) => (entry.members === null ? entry.command.key : entry.members.length))

test('bulk work fills half a batch, and less during and soon after interactive work', () => {
  const queue = createQueue()
  queue.push('bulk', createEntries(QUEUED_MAX, 'bulk'))
  // A new queue first takes only a few bulk entries per batch, as a queue does after interactive
  // entries.
  for (let batch = 0; batch < 40; batch += 1) expect(queue.take(FRESH)).toHaveLength(75)
  expect(queue.take(FRESH)).toHaveLength(250)
  queue.push('bulk', createEntries(3_000, 'more'))
  queue.push('interactive', createEntries(3, 'page'))
  const beside = listNames(queue.take(FRESH))
  expect(beside.slice(0, 3)).toEqual(['page-0', 'page-1', 'page-2'])
  expect(beside).toHaveLength(78)
  for (let batch = 0; batch < 40; batch += 1) expect(queue.take(FRESH)).toHaveLength(75)
  expect(queue.take(FRESH)).toHaveLength(250)
})

test('an open batch takes entries up to its limit, and the share of bulk work only once', () => {
  const queue = createQueue()
  queue.push('bulk', createEntries(100, 'bulk'))
  expect(queue.take(FRESH)).toHaveLength(75)
  queue.push('interactive', createEntries(600, 'page'))
  expect(queue.take({ taken: 75, max: 85 })).toHaveLength(10)
  const rest = listNames(queue.take({ taken: 85, max: 500 }))
  expect([rest.length, rest[0], rest.at(-1)]).toEqual([415, 'page-10', 'page-424'])
  expect(queue.take({ taken: 500, max: 500 })).toEqual([])
  expect(queue.take({ taken: 1, max: 0 })).toEqual([])
  const next = listNames(queue.take(FRESH))
  expect([next.length, next[175], next.at(-1)]).toEqual([200, 'bulk-75', 'bulk-99'])
})

test('entries that were not written return to the front in their order', () => {
  const queue = createQueue()
  queue.push('interactive', createEntries(5, 'page'))
  const taken = queue.take(FRESH)
  queue.push('interactive', createEntries(1, 'later'))
  queue.returnToFront(taken.slice(2))
  expect(listNames(queue.take(FRESH))).toEqual(['page-2', 'page-3', 'page-4'])
  expect(listNames(queue.take(FRESH))).toEqual(['later-0'])
})

test('a full queue accepts no part of a request that exceeds its count or bytes', () => {
  const queue = createQueue()
  expect(queue.push('bulk', createEntries(QUEUED_MAX - 1, 'bulk'))).toBe(true)
  expect(queue.hasRoom()).toBe(true)
  expect(queue.push('interactive', createEntries(2, 'page'))).toBe(false)
  expect(queue.push('interactive', createEntries(1, 'page'))).toBe(true)
  expect(queue.hasRoom()).toBe(false)
  const heavy = createQueue()
  const [large] = createEntries(1, 'large').map((entry) => ({ ...entry, bytes: 64 * 1024 * 1024 }))
  expect(heavy.push('bulk', large === undefined ? [] : [large])).toBe(true)
  expect(heavy.hasRoom()).toBe(false)
  expect(heavy.push('bulk', createEntries(1, 'one more'))).toBe(false)
  heavy.take(FRESH)
  expect(heavy.push('bulk', createEntries(1, 'one more'))).toBe(true)
})

test('linked commands are never split, and count each', () => {
  const queue = createQueue()
  queue.push('interactive', createEntries(5, 'page'))
  queue.push('interactive', [createGroup(100)])
  queue.push('interactive', createEntries(2, 'later'))
  expect(queue.getLength()).toBe(107)
  expect(listNames(queue.take({ taken: 0, max: 6 }))).toEqual([
    'page-0',
    'page-1',
    'page-2',
    'page-3',
    'page-4',
    100,
  ])
  expect(queue.getLength()).toBe(2)
  queue.returnToFront([createGroup(3)])
  expect(listNames(queue.take({ taken: 0, max: 1 }))).toEqual([3])
  expect(listNames(queue.take(FRESH))).toEqual(['later-0', 'later-1'])
})

test('linked bulk commands that exceed the share beside interactive work are still taken', () => {
  const queue = createQueue()
  queue.push('bulk', [createGroup(100), createGroup(100)])
  for (let batch = 0; batch < 2; batch += 1) {
    queue.push('interactive', createEntries(1, 'page'))
    expect(listNames(queue.take(FRESH))).toEqual(['page-0', 100])
    expect(listNames(queue.take({ taken: 101, max: 500 }))).toEqual([])
  }
})

test('linked commands that do not all fit into the queue are refused', () => {
  const queue = createQueue()
  queue.push('bulk', createEntries(QUEUED_MAX - 50, 'bulk'))
  expect(queue.push('interactive', [createGroup(51)])).toBe(false)
  expect(queue.push('interactive', [createGroup(50)])).toBe(true)
})
