import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runForEach } from './run-for-each.ts'

const ITEMS = Array.from({ length: 20 }, (_, index) => index)

test('each item is worked on once, and never more items at a time than permitted', async () => {
  const done: number[] = []
  const running = { now: 0, max: 0 }
  await runForEach({ items: ITEMS, atOnce: 3 }, async (item) => {
    running.now += 1
    running.max = Math.max(running.max, running.now)
    await delay(20 - item)
    running.now -= 1
    done.push(item)
  })
  expect(done.toSorted((one, other) => one - other)).toEqual(ITEMS)
  expect(running.max).toBe(3)
})

test('a failure prevents no other item, and the error of the first item is thrown', async () => {
  const done: number[] = []
  const running = runForEach({ items: ITEMS, atOnce: 3 }, async (item) => {
    if (item === 2) await delay(20)
    if (item === 2 || item === 5) throw new Error(`item ${item}`)
    done.push(item)
  })
  await expect(running).rejects.toThrow('item 2')
  expect(done).toHaveLength(18)
})

test('no items need no work', async () => {
  await runForEach({ items: [], atOnce: 3 }, () => Promise.reject(new Error('unexpected')))
})
