import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
let visitors: readonly (Visitor | null)[]
beforeAll(async () => {
  gateway = await startTestGateway()
  visitors = [await visitAs(gateway, 'investor'), await visitAs(gateway, 'admin'), null]
})
afterAll(() => gateway.stop())

/** Names of fields that exist, for bodies that are nearly valid. */
const NAMES = [
  'type',
  'amount',
  'pay_option',
  'bank_id',
  'email',
  'password',
  'code',
  'name',
  'status',
]
const MORE = [
  'plan',
  'extra',
  'wallet_type',
  'planDuration',
  'percentage',
  'payOption',
  'note',
  'q',
]
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'deposit',
    'withdrawal',
    '10.00',
    '0123456789abcdefghjk',
    'balance',
    '\u0000',
    '\ud800',
  ),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
)
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES, ...MORE, '__proto__'), value),
  fc.jsonValue(),
)

describe('any request', () => {
  test('is answered or refused, never with a server error', async () => {
    const calls = gateway.routes.filter(({ endpoint }) => !endpoint.path.endsWith('/logout'))
    const property = fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.constantFrom(0, 1, 2),
      body,
      fc.string({ unit: 'binary', minLength: 1 }),
      async ({ endpoint }, visitor, content, text) => {
        const isRead = endpoint.method === 'GET'
        const path = endpoint.path.replace(':id', () => encodeURIComponent(text.toWellFormed()))
        const query = isRead ? `?q=${encodeURIComponent(text.toWellFormed())}` : ''
        const reply = await send(gateway, visitors[visitor] ?? null, {
          method: endpoint.method,
          path: path + query,
          ...(isRead ? {} : { body: content }),
        })
        expect(reply.status, `${endpoint.method} ${path} ${JSON.stringify(content)}`).toBeLessThan(
          500,
        )
      },
    )
    await fc.assert(property, { numRuns: 600 })
  })

  test('for preferences is answered or refused, whatever the layouts of lists contain', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.constantFrom('\u0000', '\ud800', 'status=pending'),
    )
    const view = fc.record({ name: text, search: text })
    const layout = fc.record({
      hidden: fc.array(text, { maxLength: 2 }),
      isCompact: fc.boolean(),
      views: fc.array(view, { maxLength: 2 }),
    })
    const content = fc.record({
      tables: fc.dictionary(fc.constantFrom('users', 'transactions'), layout),
      furtherTables: fc.dictionary(fc.constantFrom('events', 'accounts'), layout),
    })
    const path = '/users/me/preferences'
    const property = fc.asyncProperty(content, async (preferences) => {
      const put = { method: 'PUT', path, body: preferences }
      const saved = await send(gateway, visitors[1] ?? null, put)
      expect(saved.status, JSON.stringify(preferences)).toBeLessThan(500)
      const read = await send(gateway, visitors[1] ?? null, { method: 'GET', path })
      expect(read.status).toBe(200)
    })
    await fc.assert(property, { numRuns: 100 })
  })

  test.each([
    ['is not JSON', 'application/json', '{', 400],
    ['is nested too deeply', 'application/json', '['.repeat(20) + ']'.repeat(20), 400],
    ['is too large', 'application/json', `"${'x'.repeat(70_000)}"`, 413],
    ['is neither JSON nor a form', 'text/plain', 'email=a', 415],
    ['is a broken form', 'multipart/form-data; boundary=x', '--x\r\nbad', 400],
  ])('whose body %s is refused', async (_what, type, content, status) => {
    const response = await fetch(`${gateway.url}/api/v1/users/login`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-requested-with': 'XMLHttpRequest' },
      body: content,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ status: 'fail', message: expect.any(String) })
  })
})
