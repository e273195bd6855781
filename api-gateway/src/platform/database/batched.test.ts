import { expect, test } from 'vitest'
import { getCurrentRequestId, runInRequest } from '../http/request-scope.ts'
import { batchLookups } from './batched.ts'

/**
 * Creates a store with one row per key. The store records the requested keys and answers when the
 * test tells it to.
 */
function openStore() {
  const asked: (readonly string[])[] = []
  const answers: { now: () => void; fail: (error: Error) => void }[] = []
  const find = batchLookups(
    async (_store: object, keys: readonly string[]) => {
      asked.push(keys)
      await new Promise<void>((resolve, reject) => answers.push({ now: resolve, fail: reject }))
      return keys.filter((key) => key !== 'missing').map((key) => ({ key }))
    },
    ({ key }) => key,
  )
  return { asked, answers, find }
}

/**
 * Waits for the next iteration of the event loop. The requested keys are loaded in that iteration.
 */
const waitForTurn = () => new Promise((resolve) => setImmediate(resolve))

test('keys that are requested together use one lookup, and later keys use the next lookup', async () => {
  const { asked, answers, find } = openStore()
  const store = {}
  const first = [find(store, 'a'), find(store, 'b')]
  await waitForTurn()
  const others = ['b', 'c', 'b', 'missing'].map((key) => find(store, key))
  await waitForTurn()
  expect(asked).toEqual([['a', 'b']])
  answers[0]?.now()
  expect(await Promise.all(first)).toEqual([[{ key: 'a' }], [{ key: 'b' }]])
  await waitForTurn()
  // The key `b` is loaded again, because the running lookup of `b` had started before `b` was
  // requested the second time.
  expect(asked).toEqual([
    ['a', 'b'],
    ['b', 'c', 'missing'],
  ])
  answers[1]?.now()
  expect(await Promise.all(others)).toEqual([[{ key: 'b' }], [{ key: 'c' }], [{ key: 'b' }], []])
})

test('a failed lookup fails its own requests only', async () => {
  const { answers, find } = openStore()
  const store = {}
  const first = find(store, 'a')
  await waitForTurn()
  const second = find(store, 'b')
  answers[0]?.fail(new Error('the connection broke'))
  await expect(first).rejects.toThrow('the connection broke')
  await waitForTurn()
  answers[1]?.now()
  expect(await second).toEqual([{ key: 'b' }])
})

test('a lookup that hangs does not delay others', async () => {
  const { asked, answers, find } = openStore()
  const store = {}
  const hanging = find(store, 'a')
  await waitForTurn()
  const other = find(store, 'b')
  await expect.poll(() => asked).toEqual([['a'], ['b']])
  answers[1]?.now()
  expect(await other).toEqual([{ key: 'b' }])
  answers[0]?.now()
  expect(await hanging).toEqual([{ key: 'a' }])
})

test('a lookup for several requests has no request id', async () => {
  const names: (string | null)[] = []
  const find = batchLookups(
    async (_store: object, keys: readonly string[]) => {
      names.push(getCurrentRequestId())
      return keys.map((key) => ({ key }))
    },
    ({ key }) => key,
  )
  const store = {}
  const looks = ['a', 'b'].map((key) => runInRequest(key, () => find(store, key)))
  expect(await Promise.all(looks)).toEqual([[{ key: 'a' }], [{ key: 'b' }]])
  expect(names).toEqual([null])
})

test('two stores have separate lookups', async () => {
  const { asked, answers, find } = openStore()
  const looks = [find({}, 'a'), find({}, 'a')]
  await waitForTurn()
  expect(asked).toEqual([['a'], ['a']])
  for (const answer of answers) answer.now()
  expect(await Promise.all(looks)).toEqual([[{ key: 'a' }], [{ key: 'a' }]])
})
