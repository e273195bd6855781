import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createImageQueue, type ImageQueue } from './image-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/**
 * Adds tasks that end when the test releases them. `seen` contains the number of tasks that ran at
 * the same time.
 */
function addTasks(queue: ImageQueue, count: number) {
  const running: (() => void)[] = []
  const seen = { max: 0, done: 0, refused: 0 }
  for (let index = 0; index < count; index += 1) {
    const runTask = async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.push(resolve)
      seen.max = Math.max(seen.max, running.length)
      await promise
    }
    const countDone = () => {
      seen.done += 1
    }
    const countRefusedPictures = () => {
      seen.refused += 1
    }
    queue.run(runTask).then(countDone, countRefusedPictures)
  }
  const releaseOnePicture = async () => {
    running.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { seen, releaseOnePicture }
}

describe('the queue of images', () => {
  test('runs one at a time, lets 20 wait and refuses the others at once', async () => {
    const { seen, releaseOnePicture } = addTasks(createImageQueue(), 30)
    await vi.advanceTimersByTimeAsync(0)
    expect(seen).toEqual({ max: 1, done: 0, refused: 9 })
    for (let index = 0; index < 21; index += 1) await releaseOnePicture()
    expect(seen).toEqual({ max: 1, done: 21, refused: 9 })
  })

  test('refuses after five seconds of waiting and says when to try again', async () => {
    const queue = createImageQueue()
    const { seen, releaseOnePicture } = addTasks(queue, 2)
    await vi.advanceTimersByTimeAsync(4_999)
    expect(seen.refused).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.refused).toBe(1)
    await releaseOnePicture()
    // The refused task never runs, and the queue accepts new tasks.
    expect(await queue.run(async () => 'done')).toBe('done')
    expect(seen.max).toBe(1)
  })

  test('continues after a failed task', async () => {
    const queue = createImageQueue()
    const failing = queue.run(() => Promise.reject(new Error('not an image')))
    const next = queue.run(async () => 'decoded')
    await expect(failing).rejects.toThrow('not an image')
    expect(await next).toBe('decoded')
  })

  test('sabotaged twin: without the bounds every task waits, for as long as it takes', async () => {
    const unbounded = { waitingMax: 1_000, waitMsMax: 2 ** 31 - 1 }
    const { seen } = addTasks(createImageQueue(unbounded), 500)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(seen).toEqual({ max: 1, done: 0, refused: 0 })
  })
})
