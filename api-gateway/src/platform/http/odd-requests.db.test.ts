import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

let folder: string
let gateway: TestGateway
let investor: Visitor
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-site-'))
  gateway = await startTestGateway({ webDist: join(folder, 'site') })
  const visitor = await visitAs(gateway, 'investor')
  if (visitor === null) throw new Error('an investor has a session')
  investor = visitor
})
afterAll(async () => {
  await gateway.stop()
  rmSync(folder, { recursive: true })
})

test('pages are served as soon as their folder appears, without a restart', async () => {
  expect((await fetch(`${gateway.url}/`)).status).toBe(404)
  const unfinished = join(folder, 'unfinished')
  mkdirSync(unfinished)
  for (const page of ['index.html', 'app.html']) {
    writeFileSync(join(unfinished, page), '<!doctype html><title>Cairn</title>')
  }
  renameSync(unfinished, join(folder, 'site'))
  const response = await fetch(`${gateway.url}/`)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('<title>Cairn</title>')
})

describe('an odd request', () => {
  test.each([
    '/api',
    '/api/',
    '/api/v2/plans',
    '/API/v1/plans',
    '/api%2Fv1/plans',
    '//api/v1/plans',
  ])('for %s is no page of the site', async (path) => {
    const response = await fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ status: 'fail', code: 'NOT_FOUND' })
  })

  test('with a field named __proto__ is refused like any unknown field', async () => {
    const form = new FormData()
    form.set('type', 'deposit')
    form.set('__proto__', 'x')
    const call = { method: 'POST', path: '/users/me/transactions', form }
    const reply = await send(gateway, investor, call)
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toContainEqual({ ['__proto__']: expect.any(String) })
  })

  test('with a parameter that is sent twice or at another place is refused', async () => {
    const ask = (path: string) => send(gateway, investor, { method: 'GET', path })
    expect((await ask('/users/me/transactions?page=1')).status).toBe(200)
    expect((await ask('/users/me/transactions?page=1&page=2')).status).toBe(400)
    expect((await ask('/users/me/transactions?page=1&user=other')).status).toBe(400)
    // `marketUpdates` is a field of the body, so it has no effect in the query.
    const path = '/users/me/preferences?marketUpdates=true'
    await send(gateway, investor, { method: 'PUT', path, body: {} })
    const { preferences } = (await ask('/users/me/preferences')).body.data as unknown as {
      preferences: { marketUpdates: boolean }
    }
    expect(preferences.marketUpdates).toBe(false)
  })

  test('with an empty Idempotency-Key is refused, and not treated as a request without a key', async () => {
    const { cookie, csrfToken } = investor
    const response = await fetch(`${gateway.url}/api/v1/users/me/investments`, {
      method: 'POST',
      headers: {
        cookie,
        'x-xsrf-token': csrfToken,
        'content-type': 'application/json',
        'idempotency-key': '',
      },
      body: JSON.stringify({ plan: '0123456789abcdefghjk', amount: 100 }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'INVALID' })
  })
})
