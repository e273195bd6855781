import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { refreshQueries } from './refresh-queries.ts'

const KEY = ['transactions'] as const

/**
 * Starts a first read. The server has already read the value `before`, but the answer with this
 * value has not reached the client.
 */
function startFirstRead() {
  const client = new QueryClient()
  const arrival = Promise.withResolvers<void>()
  let stored = 'before'
  const observer = new QueryObserver(client, {
    queryKey: KEY,
    queryFn: async () => {
      const answer = stored
      await arrival.promise
      return answer
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  onTestFinished(observer.subscribe(() => {}))
  stored = 'after'
  return { client, arrive: arrival.resolve }
}

test('a first read that was answered before a change is repeated', async () => {
  const { client, arrive } = startFirstRead()
  refreshQueries(client, KEY)
  arrive()
  await expect.poll(() => client.getQueryData(KEY)).toBe('after')
})

test('sabotaged twin: without the repetition, the page keeps the answer from before', async () => {
  const { client, arrive } = startFirstRead()
  const invalidated = client.invalidateQueries({ queryKey: KEY })
  arrive()
  await invalidated
  await expect.poll(() => client.isFetching()).toBe(0)
  expect(client.getQueryData(KEY)).toBe('before')
})

test('without a key, all queries are read again', async () => {
  const { client, arrive } = startFirstRead()
  refreshQueries(client)
  arrive()
  await expect.poll(() => client.getQueryData(KEY)).toBe('after')
})
