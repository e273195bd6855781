import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { visit } from '../../../testing/test-browser.ts'
import { send, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { visitWithSharedUser } from '../../../testing/visit-with-shared-user.ts'
import { getCaller } from '../../platform/http/registry.ts'

const AN_ID = '0123456789abcdefghjk'

/** Fields that a client must not set. The test adds these fields to bodies of each type. */
const SMUGGLED = {
  role: 'admin',
  status: 'active',
  wallet: { balance: 1_000_000 },
  balance: 1_000_000,
  isAdmin: true,
  user: AN_ID,
  userId: AN_ID,
  createdAt: '2000-01-01T00:00:00.000Z',
  email_verified_at: '2000-01-01T00:00:00.000Z',
  credential_hold_until: null,
  account_id: 'AAAAAAAAAAAA',
  constructor: { prototype: { role: 'admin' } },
}

/** Valid fields, so that a request is refused only because of the forbidden fields. */
const FIELDS = {
  name: 'Anna',
  email: 'anna@example.com',
  phone: '+1 555 0100',
  country: 'US',
  bankName: 'B',
  accountNumber: '1',
  accountName: 'A',
  accountType: 'Others',
  amount: 10,
}

async function findChanges(gateway: TestGateway): Promise<readonly string[]> {
  const changed: string[] = []
  for (const { endpoint } of gateway.routes) {
    if (endpoint.method === 'GET' || endpoint.path.endsWith('/logout')) continue
    const visitor = await visitWithSharedUser(gateway, 'investor')
    const readProtectedFields = () => readProtectedValues(gateway, visitor.userId)
    const before = await readProtectedFields()
    const commands = gateway.ledger.commands.length
    const path = endpoint.path.replace(/:\w+/, AN_ID)
    const text = JSON.stringify({ ...FIELDS, ...SMUGGLED }).replace(
      '{',
      '{"__proto__":{"role":"admin"},',
    )
    for (const body of [JSON.parse(text), SMUGGLED, { ...FIELDS, role: ['admin', 'user'] }]) {
      await send(gateway, visitor, { method: endpoint.method, path, body })
    }
    const isMoved = gateway.ledger.commands
      .slice(commands)
      .some(({ type }) => type === 'FundWallet' || type === 'ActivateInvestor')
    if ((await readProtectedFields()) !== before || isMoved)
      changed.push(`${endpoint.method} ${endpoint.path}`)
  }
  return changed
}

async function readProtectedValues(gateway: TestGateway, userId: string): Promise<string> {
  const { rows } = await sql`
    select role, status, account_id, referrer_id, created_at, email_verified_at, deleted_at
    from identity.user where id = ${userId}`.execute(gateway.db)
  return JSON.stringify(rows)
}

describe('T35 undeclared fields', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.stop())

  test('change nothing in any call, and reach no prototype', async () => {
    expect(await findChanges(gateway)).toEqual([])
    expect(Object.hasOwn(Object.prototype, 'role')).toBe(false)
  })

  test('are refused by name where a call has a body', async () => {
    const visitor = await visit(gateway, 'investor')
    const body = { name: 'Anna', email: visitor.email, role: 'admin' }
    const request = { method: 'PUT', path: '/users/update-profile', body }
    const reply = await send(gateway, visitor, request)
    expect(reply.status).toBe(400)
    expect(reply.body.errors?.[0]).toHaveProperty('role')
  })
})

describe('their sabotaged twin, whose profile stores every field that is sent', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      alterRoute: (route) => {
        if (route.endpoint.path !== '/users/update-profile') return route
        const request = z.object({ body: z.looseObject({}) })
        return {
          ...route,
          endpoint: { ...route.endpoint, request },
          handle: async (content, exchange) => {
            const { body } = request.parse(content)
            if (typeof body.role === 'string')
              await writeRole(body.role, getCaller(exchange).userId)
            return {}
          },
        }
      },
    })
  })
  afterAll(() => gateway.stop())

  const writeRole = (role: string, id: string) =>
    sql`update identity.user set role = ${role} where id = ${id}`.execute(gateway.db)

  test('is caught', async () => {
    expect(await findChanges(gateway)).toEqual(['PUT /users/update-profile'])
  })
})
