import { afterEach, expect, test, vi } from 'vitest'

import { readPublic } from './read-public.ts'

const MICROTASKS = 20

afterEach(() => vi.unstubAllGlobals())

test('a request is sent in a task of its own', async () => {
  const send = vi.fn(async () => Response.json({ data: { plans: [] } }))
  vi.stubGlobal('fetch', send)
  const answer = readPublic('/plans', new AbortController().signal)
  for (let count = 0; count < MICROTASKS; count += 1) await null
  expect(send).not.toHaveBeenCalled()
  expect(await answer).toEqual({ plans: [] })
  expect(send).toHaveBeenCalledOnce()
})
