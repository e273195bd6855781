import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../src/platform/http/registry.ts'
import { EXPECTED, listAllowedActors, parseExpectedAccess } from './declared-access.ts'
import { type Actor, ALL_ACTORS, USUAL } from './declared-actors.ts'
import { HOLDERS, ROLES } from './declared-permissions.ts'
import { setSettings } from './test-browser.ts'
import { send, startTestGateway, type TestGateway, type Visitor } from './test-gateway.ts'
import { visitWithSharedUser } from './visit-with-shared-user.ts'

const REFUSED_CODES = [
  'NOT_SIGNED_IN',
  'NOT_ALLOWED',
  'PERMISSION_MISSING',
  'WAITING_FOR_APPROVAL',
  'MFA_ENROLMENT_REQUIRED',
  'ADDRESS_NOT_ALLOWED',
]
const SIGNED_OUT: readonly Actor[] = ['anonymous', 'denied', 'deactivated']
const AN_ID = '0123456789abcdefghjk'

/** Calls each endpoint as each kind of user. Returns descriptions of the wrong answers. */
async function findViolations(gateway: TestGateway): Promise<readonly string[]> {
  const violations: string[] = []
  const callAllRoutes = async (actors: readonly Actor[]) => {
    for (const who of actors) {
      for (const route of gateway.routes) {
        // Each call needs a new session, because one of the endpoints logs out.
        const visitor = await visitWith(gateway, who)
        const wrong = await tryRoute(gateway, route, { who, visitor })
        if (wrong !== null) violations.push(wrong)
      }
    }
  }
  await callAllRoutes([...USUAL, ...ROLES])
  await setSettings(gateway, { security: { twoFactorAuth: true } })
  await callAllRoutes(['unenrolled admin'])
  await setSettings(gateway, { security: { ipWhitelist: ['203.0.113.7'] } })
  await callAllRoutes(['outside admin'])
  await setSettings(gateway, {})
  return violations
}

async function visitWith(gateway: TestGateway, who: Actor): Promise<Visitor | null> {
  if (who === 'anonymous') return null
  if (who === 'unenrolled admin' || who === 'outside admin') {
    return visitWithSharedUser(gateway, 'admin', { name: who })
  }
  if (who === 'second investor') return visitWithSharedUser(gateway, 'investor', { name: who })
  if (who === 'without a role')
    return visitWithSharedUser(gateway, 'admin', { name: who, roles: [] })
  if (who === 'finance' || who === 'support' || who === 'compliance' || who === 'auditor') {
    return visitWithSharedUser(gateway, 'admin', { name: who, roles: [who] })
  }
  if (who !== 'denied' && who !== 'deactivated') return visitWithSharedUser(gateway, who)
  const visitor = await visitWithSharedUser(gateway, 'investor', { name: who })
  // Opens a session of a closed account. Normally such an account has no session; the test
  // simulates that the gateway failed to end it.
  await gateway.db
    .updateTable('identity.user')
    .set({ status: who })
    .where('id', '=', visitor.userId)
    .execute()
  return visitor
}

async function tryRoute(
  gateway: TestGateway,
  { endpoint }: Route,
  { who, visitor }: { who: Actor; visitor: Visitor | null },
): Promise<string | null> {
  const name = `${endpoint.method} ${endpoint.path}`
  const expected = EXPECTED[name]
  if (expected === undefined) return `${name} is not in the matrix`
  const { status, body } = await send(gateway, visitor, {
    method: endpoint.method,
    path: endpoint.path.replace(':id', AN_ID),
    ...(endpoint.method === 'GET' ? {} : { body: {} }),
  })
  const allowed = listAllowedActors(expected)
  const isRefused = REFUSED_CODES.includes(body.code ?? '')
  if (status >= 500) return `${name} breaks for ${who}: ${status}`
  if (allowed.includes(who)) return isRefused ? `${name} is closed to ${who}` : null
  const status401or403 = SIGNED_OUT.includes(who) ? 401 : 403
  return status === status401or403 && isRefused ? null : `${name} is open to ${who}: ${status}`
}

describe('T10 the authorization matrix', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.stop())

  test('every call of the registry answers exactly the callers that it admits', async () => {
    expect(await findViolations(gateway)).toEqual([])
    expect(gateway.routes.length * ALL_ACTORS.length).toBeGreaterThanOrEqual(2_000)
  })

  test('names every call of the registry and no other', () => {
    const declared = gateway.routes.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(declared.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
  })

  test('the published document names the same calls', async () => {
    const response = await fetch(`${gateway.url}/api/v1/openapi.json`)
    const { openapi, paths } = (await response.json()) as {
      openapi: string
      paths: Record<string, Record<string, { 'x-access': string; 'x-permission'?: string }>>
    }
    expect(openapi).toBe('3.1.0')
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => {
        const plain = path.replace('/api/v1', '').replace(/\{(\w+)\}/g, ':$1')
        const rule = { access: call['x-access'], permission: call['x-permission'] ?? null }
        return [`${method.toUpperCase()} ${plain}`, rule]
      }),
    )
    const expected = Object.entries(EXPECTED).map(([name, rule]) => [
      name,
      parseExpectedAccess(rule),
    ])
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(expected))
  })

  test('an undeclared call is not found for any actor', async () => {
    for (const who of USUAL) {
      const visitor = await visitWith(gateway, who)
      const reply = await send(gateway, visitor, { method: 'GET', path: '/admin/secrets' })
      expect(reply.status).toBe(404)
    }
  })
})

describe('its sabotaged twin, in which no call checks its caller', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      alterRoute: (route) => ({
        ...route,
        endpoint: { ...route.endpoint, access: 'anyone', permission: null },
      }),
    })
  })
  afterAll(() => gateway.stop())

  test('is caught on every call that does not admit anyone', async () => {
    const violations = await findViolations(gateway)
    const guarded = Object.entries(EXPECTED).filter(([, access]) => access !== 'anyone')
    const missed = guarded.filter(([name]) => !violations.some((text) => text.startsWith(name)))
    expect(missed).toEqual([])
  })
})

describe('its sabotaged twin, in which every permission is one that all roles have', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      alterRoute: (route) =>
        route.endpoint.permission === null
          ? route
          : { ...route, endpoint: { ...route.endpoint, permission: 'users.read' } },
    })
  })
  afterAll(() => gateway.stop())

  test('is caught on every call whose permission a role does not have', async () => {
    const violations = await findViolations(gateway)
    const guarded = Object.entries(EXPECTED).filter(([, expected]) => {
      const { permission } = parseExpectedAccess(expected)
      return permission !== null && HOLDERS[permission].length < HOLDERS['users.read'].length
    })
    expect(guarded.length).toBeGreaterThan(50)
    const missed = guarded.filter(([name]) => !violations.some((text) => text.startsWith(name)))
    expect(missed).toEqual([])
  })
})
