import { CLAIM_KEYS } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrolPasskey } from '../../../testing/passkey-browser.ts'
import { setSettings } from '../../../testing/test-browser.ts'
import {
  addUser,
  openVisit,
  type Reply,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'
import { listCommonFailures } from './documented-failures.ts'
import type { Route } from './registry.ts'

const AN_ID = '0123456789abcdefghjk'
const LONG_AGO = new Date('2020-01-01')
/** The tests in `keyed-request.db.test.ts` and `rate-limit.test.ts` cover these failures. */
const ELSEWHERE = new Set(['KEY_REUSED', 'TOO_MANY_REQUESTS'])

type Person = Pick<Visitor, 'cookie' | 'csrfToken'> | null

/** Describes how a test causes a failure that many endpoints declare. */
interface Provocation {
  /** The settings that the failure needs. */
  settings?: Parameters<typeof setSettings>[1]
  openVisitor(gateway: TestGateway, route: Route): Promise<Person>
  createCall?(route: Route): Partial<Parameters<typeof send>[2]> & { query?: string }
}

const PROVOCATIONS: Readonly<Record<string, Provocation>> = {
  INVALID: {
    openVisitor: openAllowedVisit,
    // Some calls ignore unknown fields, but no call accepts a number as the reason.
    createCall: ({ endpoint }) =>
      'body' in endpoint.request.shape
        ? { body: { '': 1, reason: 1 } }
        : { query: '?no-such-filter=1' },
  },
  NOT_SIGNED_IN: { openVisitor: openNoVisit },
  MFA_REQUIRED: {
    settings: { security: { twoFactorAuth: true } },
    openVisitor: (gateway) => addAdminWith(gateway, { mfa_enabled_at: LONG_AGO }),
  },
  MFA_ENROLMENT_REQUIRED: {
    settings: { security: { twoFactorAuth: true } },
    openVisitor: (gateway) => visitAs(gateway, 'admin'),
  },
  PASSKEY_REQUIRED: {
    settings: { security: { adminPasskey: true } },
    openVisitor: addAdminWithPasskey,
  },
  PASSKEY_ENROLMENT_REQUIRED: {
    settings: { security: { adminPasskey: true } },
    openVisitor: (gateway) => visitAs(gateway, 'admin'),
  },
  NOT_ALLOWED: {
    openVisitor: (gateway, { endpoint }) =>
      visitAs(gateway, endpoint.access === 'admin' ? 'investor' : 'admin'),
  },
  PERMISSION_MISSING: {
    openVisitor: async (gateway) => {
      const userId = await addUser(gateway, { role: 'admin', status: 'active', roles: [] })
      return openVisit(gateway, userId)
    },
  },
  WAITING_FOR_APPROVAL: { openVisitor: (gateway) => visitAs(gateway, 'pending') },
  ADDRESS_NOT_ALLOWED: {
    settings: { security: { ipWhitelist: ['203.0.113.7'] } },
    openVisitor: (gateway) => visitAs(gateway, 'admin'),
  },
  PASSWORD_EXPIRED: {
    openVisitor: async (gateway, route) => {
      const visitor = await openAllowedVisit(gateway, route)
      return updateVisitor(gateway, visitor, { password_changed_at: LONG_AGO })
    },
  },
  STEP_UP_REQUIRED: {
    openVisitor: (gateway) => addAdminWith(gateway, { mfa_enabled_at: LONG_AGO }),
  },
  CROSS_SITE: {
    openVisitor: openAllowedVisit,
    createCall: () => ({ headers: { 'sec-fetch-site': 'cross-site' } }),
  },
  CSRF: {
    openVisitor: openAllowedVisit,
    createCall: () => ({ headers: { 'x-xsrf-token': 'another', 'x-requested-with': 'fetch' } }),
  },
  NOT_FOUND: { openVisitor: openAllowedVisit, createCall: () => ({}) },
  TOO_LARGE: { openVisitor: openAllowedVisit, createCall: () => ({ body: 'x'.repeat(70_000) }) },
  UNSUPPORTED_TYPE: {
    openVisitor: openAllowedVisit,
    createCall: () => ({ body: 'a text', headers: { 'content-type': 'text/plain' } }),
  },
  MAINTENANCE: { settings: { general: { maintenanceMode: true } }, openVisitor: openNoVisit },
}

async function openNoVisit(): Promise<null> {
  return null
}

function openAllowedVisit(gateway: TestGateway, { endpoint }: Route): Promise<Visitor | null> {
  switch (endpoint.access) {
    case 'anyone':
      return visitAs(gateway, 'anonymous')
    case 'admin':
      return visitAs(gateway, 'admin')
    case 'arriving':
    case 'session':
    case 'user':
    case 'investor':
      return visitAs(gateway, 'investor')
  }
}

async function addAdminWith(gateway: TestGateway, row: { mfa_enabled_at: Date }): Promise<Person> {
  const userId = await addUser(gateway, { role: 'admin', status: 'active' })
  return updateVisitor(gateway, await openVisit(gateway, userId), row)
}

/** Adds an administrator with a passkey. The administrator is signed in without the passkey. */
async function addAdminWithPasskey(gateway: TestGateway): Promise<Person> {
  const { userId } = await enrolPasskey(gateway, 'admin')
  return openVisit(gateway, userId)
}

async function updateVisitor(
  gateway: TestGateway,
  visitor: Visitor | null,
  row: { mfa_enabled_at?: Date; password_changed_at?: Date },
): Promise<Visitor | null> {
  await gateway.db
    .updateTable('identity.user')
    .set(row)
    .where('id', '=', visitor?.userId ?? '')
    .execute()
  return visitor
}

/**
 * Causes the failure `code` at each endpoint that declares it. Returns the answers that differ from
 * the declaration.
 */
async function findWrongAnswers(gateway: TestGateway, code: string): Promise<readonly string[]> {
  const provocation = PROVOCATIONS[code]
  if (provocation === undefined) return [`nothing brings about ${code}`]
  await setSettings(gateway, provocation.settings ?? {})
  const known = new Map<string, Promise<Person>>()
  const wrong: string[] = []
  for (const route of gateway.routes) {
    const declared = listCommonFailures(route).find((failure) => failure.code === code)
    if (declared === undefined) continue
    const { access } = route.endpoint
    // One visitor for each kind of access is enough, because refused requests change nothing.
    const visiting = known.get(access) ?? provocation.openVisitor(gateway, route)
    known.set(access, visiting)
    const reply = await sendProvocation(gateway, route, {
      visitor: await visiting,
      provocation,
      code,
    })
    if (reply.status === declared.status && reply.body.code === code) continue
    wrong.push(`${getRouteName(route)}: ${reply.status} ${reply.body.code}, not ${code}`)
  }
  await setSettings(gateway, {})
  return wrong
}

function sendProvocation(
  gateway: TestGateway,
  route: Route,
  { visitor, provocation, code }: { visitor: Person; provocation: Provocation; code: string },
): Promise<Reply> {
  const { method, path } = route.endpoint
  const { query = '', ...request } = provocation.createCall?.(route) ?? {}
  const named = path.replaceAll(/:\w+/g, (name) =>
    code === 'NOT_FOUND' ? '~' : getExampleId(name),
  )
  const body = method === 'GET' ? {} : { body: {} }
  return send(gateway, visitor, { method, path: named + query, ...body, ...request })
}

/** Returns an id in the correct format. The object need not exist. */
function getExampleId(name: string): string {
  if (name === ':key') return CLAIM_KEYS[0]
  if (name === ':number') return '2'
  return name === ':kind' ? 'verification-code' : AN_ID
}

const getRouteName = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

describe('failures that follow from the declaration of an endpoint', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('are returned by each endpoint as documented', async () => {
    const codes = new Set(
      gateway.routes.flatMap((route) => listCommonFailures(route).map(({ code }) => code)),
    )
    const wrong: string[] = []
    for (const code of codes) {
      if (!ELSEWHERE.has(code)) wrong.push(...(await findWrongAnswers(gateway, code)))
    }
    expect(wrong).toEqual([])
    expect(Object.keys(PROVOCATIONS).filter((code) => !codes.has(code))).toEqual([])
  })
})

describe('a used-up rate limit', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, rateLimitScale: 1e-9 }) })
  })
  afterAll(() => gateway?.stop())

  test('refuses the next request of every call', async () => {
    const wrong: string[] = []
    for (const route of gateway.routes) {
      const { method, path } = route.endpoint
      const named = path.replaceAll(/:\w+/g, AN_ID)
      const body = method === 'GET' ? {} : { body: {} }
      await send(gateway, null, { method, path: named, ...body })
      const reply = await send(gateway, null, { method, path: named, ...body })
      if (reply.body.code !== 'TOO_MANY_REQUESTS')
        wrong.push(`${getRouteName(route)}: ${reply.status}`)
    }
    expect(wrong).toEqual([])
  })
})
