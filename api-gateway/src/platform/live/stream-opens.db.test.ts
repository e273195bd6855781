import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addUser,
  openVisit,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
/**
 * The clock moves only when the test moves it, so that all streams are opened in one minute even on
 * a busy machine.
 */
let nowMs = Date.now()
beforeAll(async () => {
  const clock = { now: () => nowMs }
  gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, clock, rateLimitScale: 1 }) })
})
afterAll(() => gateway?.stop())

/** Opens an event stream and closes it at once. */
async function openAndCloseStream({ cookie }: Visitor): Promise<Response> {
  const response = await fetch(`${gateway.url}/api/v1/events`, { headers: { cookie } })
  if (response.status === 200) await response.body?.cancel()
  return response
}

test('a session opens 30 streams in a minute; another session of the user has its own', async () => {
  const userId = await addUser(gateway, { role: 'user', status: 'active' })
  const visitor = await openVisit(gateway, userId)
  for (let open = 0; open < 30; open += 1)
    expect((await openAndCloseStream(visitor)).status).toBe(200)
  const refused = await openAndCloseStream(visitor)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect((await openAndCloseStream(await openVisit(gateway, userId))).status).toBe(200)
  nowMs += 60_000
  expect((await openAndCloseStream(visitor)).status).toBe(200)
})
