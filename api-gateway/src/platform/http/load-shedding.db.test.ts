import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSocket } from '../../../testing/raw-request.ts'
import { send, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const MAX = 5
const SENT = 40

/** The number of calls of the plans that are in their handler. */
let held = 0
let holding: Promise<void> = Promise.resolve()
let release = () => {}
const sockets: Socket[] = []

beforeEach(() => {
  held = 0
  ;({ promise: holding, resolve: release } = Promise.withResolvers<void>())
})
afterEach(() => {
  release()
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Starts a gateway whose list of plans waits until the test releases it. */
function start(inProgressMax: number): Promise<TestGateway> {
  return startTestGateway({
    inProgressMax,
    alterRoute: (route) => {
      if (route.endpoint.method !== 'GET' || route.endpoint.path !== '/plans') return route
      return {
        ...route,
        handle: async (request, exchange) => {
          held += 1
          await holding
          return route.handle(request, exchange)
        },
      }
    },
  })
}

const readPlans = (gateway: TestGateway) => send(gateway, null, { method: 'GET', path: '/plans' })

/** Sends the headers of a login and no part of its body. */
function startLogin(gateway: TestGateway, url = '/api/v1/users/login'): () => string {
  const socket = openSocket(gateway.url)
  sockets.push(socket)
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString()
  })
  const head = [`POST ${url} HTTP/1.1`, 'host: x', 'x-requested-with: XMLHttpRequest']
  const body = ['content-type: application/json', 'content-length: 60', '', '']
  socket.write([...head, ...body].join('\r\n'))
  return () => answer
}

describe('a gateway that works on as many requests as it may', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await start(MAX)
  })
  afterAll(() => gateway.stop())

  test('refuses more requests before it reads them, and accepts requests again', async () => {
    const first = Array.from({ length: MAX }, () => readPlans(gateway))
    await expect.poll(() => held).toBe(MAX)
    const refused = await Promise.all(Array.from({ length: SENT }, () => readPlans(gateway)))
    for (const { status, headers, body } of refused) {
      expect([status, body.code]).toEqual([429, 'OVERLOADED'])
      expect(headers.get('retry-after')).toBe('1')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(held).toBe(MAX)
    const readAnswer = startLogin(gateway)
    await expect.poll(readAnswer).toContain('HTTP/1.1 429 ')
    const readOther = startLogin(gateway, 'http://other.example/api/v1/users/login')
    await expect.poll(readOther).toContain('HTTP/1.1 429 ')
    const health = await fetch(`${gateway.url}/healthz`)
    expect(health.status).toBe(200)

    release()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(first.map(() => 200))
    expect((await readPlans(gateway)).status).toBe(200)
  })

  test('does not count requests whose clients are slow', async () => {
    release()
    const slow: (() => string)[] = []
    for (let opened = 0; opened < 2 * MAX; opened += 1) {
      slow.push(startLogin(gateway))
      await expect.poll(async () => (await readPlans(gateway)).status).toBe(200)
    }
    expect(slow.map((readAnswer) => readAnswer())).toEqual(slow.map(() => ''))
  })
})

test('sabotaged twin: without the limit, a gateway works on every request at once', async () => {
  const gateway = await start(Number.POSITIVE_INFINITY)
  const all = Array.from({ length: SENT }, () => readPlans(gateway))
  await expect.poll(() => held).toBe(SENT)
  release()
  await Promise.all(all)
  await gateway.stop()
})
