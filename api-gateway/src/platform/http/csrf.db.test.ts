import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visit } from '../../../testing/test-browser.ts'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { visitWithSharedUser } from '../../../testing/visit-with-shared-user.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createCsrfToken } from './csrf.ts'

const AN_ID = '0123456789abcdefghjk'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

interface Forgery {
  name: string
  visitor: Visitor
  headers?: Record<string, string>
}

/**
 * Returns requests that have the user's cookie but come from another site, from another subdomain
 * or from an outdated page.
 */
async function createForgeries(
  gateway: TestGateway,
  who: 'investor' | 'admin',
): Promise<readonly Forgery[]> {
  const visitor = await visitWithSharedUser(gateway, who)
  const other = await visitWithSharedUser(gateway, who, { name: `other ${who}` })
  const keys = gateway.deps.sessionKeys
  const before = createCsrfToken(keys, null)
  const stale = createCsrfToken(createKeyRing({ value: 'the secret of last year' }), visitor.userId)
  const sid = visitor.cookie.split('; ')[0]
  const createPair = (token: string) => ({
    ...visitor,
    cookie: `${sid}; XSRF-TOKEN=${token}`,
    csrfToken: token,
  })
  return [
    { name: 'no token', visitor: { ...visitor, csrfToken: '' } },
    { name: 'the token of another session', visitor: createPair(other.csrfToken) },
    { name: 'a token from before the login', visitor: createPair(before) },
    { name: 'a token of another secret', visitor: createPair(stale) },
    { name: 'a pair of nothing', visitor: createPair('a.b') },
    { name: 'a header without its cookie', visitor: { ...visitor, cookie: `${sid}` } },
    { name: 'another site', visitor, headers: { 'sec-fetch-site': 'cross-site' } },
    { name: 'a sibling host', visitor, headers: { 'sec-fetch-site': 'same-site' } },
    { name: 'an evil origin', visitor, headers: { origin: 'https://evil.test' } },
    { name: 'no origin', visitor, headers: { origin: 'null' } },
    { name: 'a form', visitor: { ...visitor, csrfToken: '' }, headers: FORM },
    {
      name: 'text',
      visitor: { ...visitor, csrfToken: '' },
      headers: { 'content-type': 'text/plain' },
    },
  ]
}

async function sendForgeries(gateway: TestGateway) {
  const accepted: string[] = []
  let tried = 0
  for (const { endpoint } of gateway.routes) {
    if (endpoint.method === 'GET' || endpoint.access === 'anyone') continue
    const who = endpoint.access === 'admin' ? 'admin' : 'investor'
    for (const { name, visitor, headers = {} } of await createForgeries(gateway, who)) {
      const path = endpoint.path.replace(/:\w+/, AN_ID)
      const { status, body } = await send(gateway, visitor, {
        method: endpoint.method,
        path,
        body: {},
        headers,
      })
      tried += 1
      const isRefused = status === 403 && (body.code === 'CSRF' || body.code === 'CROSS_SITE')
      if (!isRefused) accepted.push(`${endpoint.method} ${endpoint.path} with ${name}: ${status}`)
    }
  }
  return { accepted, tried }
}

describe('T23 forged requests', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.stop())

  test('are refused by every call that changes something, 250 and more', async () => {
    const { accepted, tried } = await sendForgeries(gateway)
    expect(accepted).toEqual([])
    expect(tried).toBeGreaterThanOrEqual(250)
  })

  test('another method by a header or a field is not another method', async () => {
    const visitor = await visit(gateway, 'admin')
    for (const headers of [{ 'x-http-method-override': 'DELETE' }, { 'x-method': 'DELETE' }]) {
      const path = `/users/${visitor.userId}?_method=DELETE`
      expect((await send(gateway, visitor, { method: 'GET', path, headers })).status).not.toBe(204)
      const me = await send(gateway, visitor, { method: 'GET', path: '/users/me' })
      expect(me.status).toBe(200)
    }
  })

  test('a login from another site is refused', async () => {
    const headers = { 'x-requested-with': '' }
    const body = { email: 'a@example.com', password: 'whatever it is' }
    const request = { method: 'POST', path: '/users/login', body, headers }
    expect((await send(gateway, null, request)).body.code).toBe('CSRF')
  })
})

describe('their sabotaged twin, whose calls ask for no token', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      // Only the required header protects a GET that changes state.
      alterRoute: (route) => ({ ...route, endpoint: { ...route.endpoint, isUnsafeGet: true } }),
    })
  })
  afterAll(() => gateway.stop())

  test('accepts most of them', async () => {
    const { accepted, tried } = await sendForgeries(gateway)
    expect(accepted.length).toBeGreaterThan(tried / 3)
  })
})
