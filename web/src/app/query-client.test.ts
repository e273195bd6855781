import { ApiError } from '@cairn/gateway-contracts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getRootKey } from '../shared/api/query-keys.ts'
import { hasSessionEnded, setSessionEnded } from '../shared/session/ended-session.ts'
import { queryClient } from './query-client.ts'

const KEY = [...getRootKey('status'), 'sample'] as const
const notSignedIn = new ApiError({ status: 401, code: 'NOT_SIGNED_IN', message: 'Log in.' })
const refuse = () => Promise.reject(notSignedIn)
/** More answers than reads that follow a refusal: a read, its retry and both after a write. */
const alwaysRefused = Array.from({ length: 5 }, () => refuse)
const me = [...getRootKey('session'), 'me'] as const

const end = () => {
  queryClient.clear()
  setSessionEnded(false)
}
beforeEach(() => {
  queryClient.setQueryData(me, { user: {} })
})
afterEach(end)

function read(answers: readonly (() => Promise<string>)[]): { stop: () => void } {
  const left = [...answers]
  const queryFn = () => (left.shift() ?? (() => Promise.resolve('no more answers')))()
  return { stop: new QueryObserver(queryClient, { queryKey: KEY, queryFn }).subscribe(() => {}) }
}

test('a read with a replaced cookie is sent again and does not end the session', async () => {
  const { stop } = read([refuse, () => Promise.resolve('data')])
  await vi.waitFor(() => expect(queryClient.getQueryData(KEY)).toBe('data'))
  expect(hasSessionEnded()).toBe(false)
  stop()
})

test('the second refusal ends the session', async () => {
  const { stop } = read(alwaysRefused)
  await vi.waitFor(() => expect(hasSessionEnded()).toBe(true))
  stop()
})

test('a read that is refused twice during a write is sent again after the write', async () => {
  let finish = () => {}
  const written = new Promise<void>((resolve) => {
    finish = resolve
  })
  const write = queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => written })
    .execute(undefined)
  const { stop } = read([refuse, refuse, () => Promise.resolve('data')])
  await vi.waitFor(() => expect(queryClient.getQueryState(KEY)?.status).toBe('error'))
  finish()
  await write
  await vi.waitFor(() => expect(queryClient.getQueryData(KEY)).toBe('data'))
  expect(hasSessionEnded()).toBe(false)
  stop()
})

test('a read that is refused after a write has ended is sent again once', async () => {
  const refuseAfterWrite = async () => {
    await queryClient
      .getMutationCache()
      .build(queryClient, { mutationFn: () => Promise.resolve() })
      .execute(undefined)
    throw notSignedIn
  }
  const { stop } = read([refuse, refuseAfterWrite, () => Promise.resolve('data')])
  await vi.waitFor(() => expect(queryClient.getQueryData(KEY)).toBe('data'))
  expect(hasSessionEnded()).toBe(false)
  stop()
})

test('a read that is refused again after a write ends the session', async () => {
  await queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => Promise.resolve() })
    .execute(undefined)
  const { stop } = read(alwaysRefused)
  await vi.waitFor(() => expect(hasSessionEnded()).toBe(true))
  expect(queryClient.getQueryData(KEY)).toBeUndefined()
  stop()
})

test('a refused write keeps the page open, even if the user has not been read', async () => {
  queryClient.removeQueries({ queryKey: me })
  const write = queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => Promise.reject(notSignedIn) })
  await expect(write.execute(undefined)).rejects.toBe(notSignedIn)
  expect(hasSessionEnded()).toBe(true)
})

test('a refused read of a page whose user has not been read opens the login page', async () => {
  queryClient.removeQueries({ queryKey: me })
  const { stop } = read(alwaysRefused)
  await vi.waitFor(() => expect(queryClient.getQueryState(KEY)?.status).toBe('error'))
  expect(hasSessionEnded()).toBe(false)
  stop()
})

/** Shows a read that fails at first and is then answered by `answer`. */
async function showFailedRead(answer: Promise<string>) {
  const missing = new ApiError({ status: 404, code: 'NOT_FOUND', message: 'Not found.' })
  const answers = [() => Promise.reject(missing), () => answer]
  const queryFn = () => (answers.shift() ?? (() => answer))()
  const observer = new QueryObserver(queryClient, { queryKey: KEY, queryFn })
  const stop = observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult().error).toBe(missing))
  return { observer, stop, error: missing }
}

test('a read that is repeated after an error shows the error until the answer', async () => {
  const answer = Promise.withResolvers<string>()
  const { observer, stop, error } = await showFailedRead(answer.promise)
  const repeated = observer.refetch()
  expect(observer.getCurrentResult()).toMatchObject({
    isError: true,
    isPending: false,
    isFetching: true,
    error,
  })
  answer.resolve('data')
  await repeated
  expect(observer.getCurrentResult()).toMatchObject({ isError: false, error: null, data: 'data' })
  stop()
})

test('a page that opens after a failed read does not begin with its error', async () => {
  const { observer, stop } = await showFailedRead(new Promise(() => {}))
  stop()
  const stopLater = observer.subscribe(() => {})
  expect(observer.getCurrentResult()).toMatchObject({ isPending: true, isFetching: true })
  stopLater()
})
