import { expect, test } from 'vitest'
import type { Entry } from './batch.ts'
import { createQueue } from './queue.ts'

function entries(count: number, name: string): Entry[] {
  return Array.from({ length: count }, (_, index) => ({
    command: {
      type: 'CloseInvestor',
      data: { investorId: '0'.repeat(20) },
      actor: 'system:test',
      key: `${name}-${index}`,
      requestId: null,
      effectiveAt: null,
    },
    requestHash: Buffer.alloc(32),
    idempotencyHash: null,
    queuedAtMs: 0,
    bytes: 100,
    answer: () => {},
  }))
}

const namesOf = (taken: readonly Entry[]) => taken.map(({ command }) => command.key)

test('bulk work alone fills batches, and leaves room beside and soon after interactive work', () => {
  const queue = createQueue()
  queue.push('bulk', entries(10_000, 'bulk'))
  // As after interactive work: nothing is known of a start.
  for (let batch = 0; batch < 40; batch += 1) expect(queue.take()).toHaveLength(50)
  expect(queue.take()).toHaveLength(500)
  queue.push('interactive', entries(3, 'page'))
  const beside = namesOf(queue.take())
  expect(beside.slice(0, 3)).toEqual(['page-0', 'page-1', 'page-2'])
  expect(beside).toHaveLength(53)
  for (let batch = 0; batch < 40; batch += 1) expect(queue.take()).toHaveLength(50)
  expect(queue.take()).toHaveLength(500)
})

test('what was not written comes first again, in its order', () => {
  const queue = createQueue()
  queue.push('interactive', entries(5, 'page'))
  const taken = queue.take()
  queue.push('interactive', entries(1, 'later'))
  queue.putBack(taken.slice(2))
  expect(namesOf(queue.take())).toEqual(['page-2', 'page-3', 'page-4'])
  expect(namesOf(queue.take())).toEqual(['later-0'])
})

test('a full queue takes nothing of a request that does not fit, in count and in bytes', () => {
  const queue = createQueue()
  expect(queue.push('bulk', entries(19_999, 'bulk'))).toBe(true)
  expect(queue.push('interactive', entries(2, 'page'))).toBe(false)
  expect(queue.push('interactive', entries(1, 'page'))).toBe(true)
  const heavy = createQueue()
  const [large] = entries(1, 'large').map((entry) => ({ ...entry, bytes: 64 * 1024 * 1024 }))
  expect(heavy.push('bulk', large === undefined ? [] : [large])).toBe(true)
  expect(heavy.push('bulk', entries(1, 'one more'))).toBe(false)
  heavy.take()
  expect(heavy.push('bulk', entries(1, 'one more'))).toBe(true)
})
