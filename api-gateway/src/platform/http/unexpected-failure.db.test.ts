import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send, startTestGateway, type TestGateway, visitAs } from '../../../testing/test-gateway.ts'
import { HttpFailure } from './failure.ts'

const DETAILS = 'relation "identity.user" does not exist at /srv/cairn/database.ts:17'
const lines: string[] = []

/** Starts a gateway in which the list of the caller's bank accounts throws. */
function startBrokenGateway(error: () => Error): Promise<TestGateway> {
  return startTestGateway({
    isDocumentedOnly: false,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    alterRoute: (route) =>
      route.endpoint.path === '/users/me/banks' && route.endpoint.method === 'GET'
        ? { ...route, handle: () => Promise.reject(error()) }
        : route,
  })
}

async function ask(gateway: TestGateway): Promise<{ status: number; text: string; body: object }> {
  const visitor = await visitAs(gateway, 'investor')
  const reply = await send(gateway, visitor, { method: 'GET', path: '/users/me/banks' })
  return { status: reply.status, text: JSON.stringify(reply.body), body: reply.body }
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startBrokenGateway(() => new Error(DETAILS))
})
afterAll(() => gateway?.stop())

test('an unexpected error is answered in general words, and its details are in the log', async () => {
  const { status, text, body } = await ask(gateway)
  expect(status).toBe(500)
  expect(body).toEqual({
    status: 'error',
    code: 'INTERNAL',
    message: 'Something went very wrong!',
    requestId: expect.any(String),
  })
  expect(text).not.toMatch(/identity|srv|database/)
  expect(lines.join('')).toContain('identity.user')
  const { requestId } = body as { requestId: string }
  expect(lines.join('')).toContain(requestId)
  expect((await fetch(`${gateway.url}/api/v1/countries`)).status).toBe(200)
})

test('sabotaged twin: an error that is passed on unchanged reveals its details', async () => {
  const careless = await startBrokenGateway(() => new HttpFailure(400, 'INVALID', DETAILS))
  const { text } = await ask(careless)
  expect(text).toContain('identity')
  await careless.stop()
})
