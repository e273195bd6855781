import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerHealth } from './health.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Requests each path `times` times. Returns how often each part was checked. */
async function countChecks(answer: ReturnType<typeof answerHealth>, times: number) {
  for (let time = 0; time < times; time += 1) {
    for (const path of ['/healthz', '/readyz']) {
      const ctx = { path, status: 404, body: null }
      await answer(ctx, async () => {})
      expect(ctx.status).toBe(200)
    }
  }
}

function createSource() {
  const asked = { isAlive: 0, isReady: 0 }
  const source = {
    isAlive: async () => {
      asked.isAlive += 1
      return true
    },
    isReady: async () => {
      asked.isReady += 1
      return { database: true }
    },
  }
  return { asked, source }
}

test('asks the parts at most once a second', async () => {
  const { asked, source } = createSource()
  const answer = answerHealth(source)
  await countChecks(answer, 50)
  expect(asked).toEqual({ isAlive: 1, isReady: 1 })
  vi.advanceTimersByTime(999)
  await countChecks(answer, 1)
  expect(asked).toEqual({ isAlive: 1, isReady: 1 })
  vi.advanceTimersByTime(1)
  await countChecks(answer, 1)
  expect(asked).toEqual({ isAlive: 2, isReady: 2 })
})

test('without the cache each request asks each part', async () => {
  const { asked, source } = createSource()
  await countChecks(answerHealth(source, 0), 50)
  expect(asked).toEqual({ isAlive: 50, isReady: 50 })
})
