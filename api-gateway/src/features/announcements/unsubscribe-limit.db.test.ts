import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import type { Route } from '../../platform/http/registry.ts'
import { createUnsubscribePath } from '../../platform/mail/unsubscribe-token.ts'

/** A limit of one request a minute. */
const SCALE = 1e-9

let gateway: TestGateway
afterEach(() => gateway?.stop())

const start = (alterRoute: (route: Route) => Route = (route) => route) =>
  startTestGateway({ alterRoute, alterDeps: (deps) => ({ ...deps, rateLimitScale: SCALE }) })

const createPath = (userId: string) =>
  createUnsubscribePath(gateway.deps.seal, { userId, kind: 'market-update' })

const post = (path: string) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('the limit of unsubscribing', () => {
  beforeEach(async () => {
    gateway = await start()
  })

  test('counts by user, because one address of a mail provider sends for many', async () => {
    const [ada, ben] = [createPath('0123456789abcdefghjk'), createPath('0123456789abcdefghjm')]
    expect((await post(ada)).status).toBe(200)
    expect((await post(ben)).status).toBe(200)
    const refused = await post(ada)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('counts by address without a valid token', async () => {
    const call = '/api/v1/public/unsubscribe?token='
    expect((await post(`${call}one`)).status).toBe(400)
    expect((await post(`${call}another`)).status).toBe(429)
  })

  test('is answered with a page that offers to try again', async () => {
    const path = createPath('0123456789abcdefghjk')
    await post(path)
    const refused = await post(path)
    expect(refused.headers.get('content-type')).toContain('text/html')
    const page = await refused.text()
    expect(page).toContain('You are not unsubscribed yet')
    expect(page).toContain(`<form method="post" action="${path}">`)
  })
})

test('sabotaged twin: by address, the second person is refused', async () => {
  gateway = await start((route) => {
    if (route.options.findProvedUser === undefined) return route
    return { ...route, options: { ...route.options, findProvedUser: () => null } }
  })
  expect((await post(createPath('0123456789abcdefghjk'))).status).toBe(200)
  expect((await post(createPath('0123456789abcdefghjm'))).status).toBe(429)
})
