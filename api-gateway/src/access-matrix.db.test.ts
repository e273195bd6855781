import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from './http/registry.ts'
import { setSettings } from './testing/arrival.ts'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
  type Who,
} from './testing/test-gateway.ts'

/** Beside those who just have a session: whoever has lost it, and administrators who miss something. */
type Actor =
  | Who
  | 'denied'
  | 'deactivated'
  | 'second investor'
  | 'unenrolled admin'
  | 'outside admin'

const USUAL: readonly Actor[] = [
  'anonymous',
  'pending',
  'denied',
  'deactivated',
  'investor',
  'second investor',
  'admin',
]
const EVERYBODY: readonly Actor[] = [...USUAL, 'unenrolled admin', 'outside admin']

/** Written out, not read from the registry: a call that changes its access must change here too. */
const ALLOWED = {
  anyone: EVERYBODY,
  arriving: ['pending', 'investor', 'second investor', 'admin', 'unenrolled admin'],
  session: ['pending', 'investor', 'second investor', 'admin'],
  user: ['pending', 'investor', 'second investor'],
  investor: ['investor', 'second investor'],
  admin: ['admin'],
} as const satisfies Record<string, readonly Actor[]>

const EXPECTED: Record<string, keyof typeof ALLOWED> = {
  'GET /countries': 'anyone',
  'GET /users/me/statements': 'user',
  'GET /users/me/statements/:id': 'user',
  'GET /users/me/certificates': 'user',
  'GET /users/me/certificates/:investmentId': 'user',
  'GET /admin/jobs': 'admin',
  'POST /admin/jobs/:queue/retry': 'admin',
  'GET /admin/templates': 'admin',
  'PUT /admin/templates/:kind': 'admin',
  'DELETE /admin/templates/:kind': 'admin',
  'POST /admin/templates/:kind/preview': 'admin',
  'POST /admin/templates/:kind/test': 'admin',
  'GET /public/settings': 'anyone',
  'POST /users/signup': 'anyone',
  'POST /users/verify_email': 'anyone',
  'POST /users/resend_code': 'anyone',
  'POST /users/login': 'anyone',
  'POST /users/login/mfa': 'anyone',
  'GET /users/me/mfa': 'arriving',
  'POST /users/me/mfa/setup': 'arriving',
  'POST /users/me/mfa/enable': 'arriving',
  'POST /users/me/mfa/disable': 'session',
  'POST /users/me/mfa/recovery_codes': 'session',
  'PATCH /users/me/password': 'arriving',
  'POST /users/forgot_password': 'anyone',
  'POST /users/reset_password/check': 'anyone',
  'POST /users/reset_password': 'anyone',
  'PUT /users/update-profile': 'session',
  'POST /users/me/email/confirm': 'session',
  'GET /users/me/sessions': 'session',
  'DELETE /users/me/sessions': 'session',
  'DELETE /users/me/sessions/:id': 'session',
  'POST /users/:id/sessions/revoke': 'admin',
  'POST /users/:id/force_reset': 'admin',
  'DELETE /users/:id': 'admin',
  'GET /users/logout': 'anyone',
  'POST /users/logout': 'anyone',
  'GET /users/me': 'arriving',
  'GET /users': 'admin',
  'PATCH /users/:id/status': 'admin',
  'PATCH /users/:id/wallets': 'admin',
  'GET /users/me/banks': 'user',
  'POST /users/me/banks': 'user',
  'DELETE /users/me/banks/:id': 'user',
  'GET /plans': 'anyone',
  'POST /plans': 'admin',
  'PATCH /plans/:id': 'admin',
  'DELETE /plans/:id': 'admin',
  'GET /paymentOptions': 'session',
  'POST /paymentOptions': 'admin',
  'PATCH /paymentOptions/:id': 'admin',
  'DELETE /paymentOptions/:id': 'admin',
  'GET /paymentOptions/:id/image': 'session',
  'GET /transactions': 'admin',
  'GET /transactions/recent': 'session',
  'PATCH /transactions/:id/action/approve': 'admin',
  'PATCH /transactions/:id/action/decline': 'admin',
  'GET /transactions/:id/receipt': 'session',
  'GET /users/me/transactions': 'user',
  'POST /users/me/transactions': 'investor',
  'POST /users/me/transactions/:id/cancel': 'user',
  'GET /investments': 'admin',
  'GET /users/me/investments': 'user',
  'POST /users/me/investments': 'investor',
  'PATCH /investments/mine': 'user',
  'GET /stats/users': 'user',
  'GET /stats/admin': 'admin',
  'GET /admin/reserve': 'admin',
  'POST /admin/reserve': 'admin',
  'GET /admin/settings': 'admin',
  'POST /admin/settings': 'admin',
  'GET /public/faqs': 'anyone',
  'GET /public/coverage': 'anyone',
  'GET /public/claims': 'anyone',
  'GET /public/checkpoint': 'anyone',
  'GET /public/log-key': 'anyone',
  'POST /contact': 'anyone',
  'GET /events': 'session',
  'GET /users/me/notifications': 'session',
  'PATCH /users/me/notifications/read': 'session',
  'PATCH /users/me/notifications/:id/read': 'session',
  'GET /users/me/preferences': 'session',
  'PUT /users/me/preferences': 'session',
  'PUT /users/me/photo': 'session',
  'DELETE /users/me/photo': 'session',
  'GET /users/:id/photo': 'session',
  'GET /users/me/activity': 'session',
  'GET /transactions/:id': 'session',
  'GET /transactions/:id/proof': 'session',
  'GET /investments/:id': 'session',
  'GET /users/me/referrals': 'user',
  'POST /users/me/banks/:id/confirm': 'user',
  'POST /users/me/banks/:id/resend_code': 'user',
  'GET /users/me/transactions.csv': 'user',
  'GET /users/me/investments.csv': 'user',
  'POST /users/me/investments/:id/cancel': 'user',
  'GET /stats/users/history': 'user',
  'GET /stats/users/forecast': 'user',
  'GET /admin/audit': 'admin',
  'GET /admin/referrals': 'admin',
  'GET /admin/referrals/:id': 'admin',
  'GET /stats/admin/history': 'admin',
  'GET /stats/admin/maturities': 'admin',
  'POST /admin/reserve/withdraw': 'admin',
  'POST /admin/reserve/sweep': 'admin',
  'GET /admin/adjustments': 'admin',
  'POST /admin/adjustments': 'admin',
  'PATCH /admin/adjustments/:id/apply': 'admin',
  'PATCH /admin/adjustments/:id/reject': 'admin',
  'GET /admin/approvals': 'admin',
  'GET /admin/claims': 'admin',
  'PUT /admin/claims/:key': 'admin',
  'PATCH /admin/claims/:key/approve': 'admin',
  'GET /admin/attestations': 'admin',
  'POST /admin/attestations': 'admin',
  'PATCH /admin/attestations/:id/confirm': 'admin',
  'GET /admin/attestations/:id/document': 'admin',
  'GET /admin/faqs': 'admin',
  'POST /admin/faqs': 'admin',
  'PATCH /admin/faqs/:id': 'admin',
  'DELETE /admin/faqs/:id': 'admin',
  'GET /admin/messages': 'admin',
  'PATCH /admin/messages/:id/answered': 'admin',
  'GET /admin/ledger/events': 'admin',
  'GET /admin/ledger/events/:seq': 'admin',
  'GET /admin/ledger/accounts': 'admin',
  'GET /admin/ledger/accounts/:account': 'admin',
  'GET /admin/ledger/trial-balance': 'admin',
  'GET /admin/ledger/checkpoints': 'admin',
  'GET /admin/ledger/consistency': 'admin',
  'GET /admin/ledger/verifications': 'admin',
  'POST /admin/ledger/verifications': 'admin',
  'GET /admin/ledger/export': 'admin',
  'GET /transactions.csv': 'admin',
  'GET /investments.csv': 'admin',
  'GET /users.csv': 'admin',
  'GET /users/:id': 'admin',
  'POST /users/:id/notes': 'admin',
  'PATCH /investments/:id/status': 'admin',
  'GET /admin/cash/:option': 'admin',
  'POST /admin/cash/:option/statements/preview': 'admin',
  'POST /admin/cash/:option/statements': 'admin',
  'GET /admin/cash/:option/statements': 'admin',
  'GET /admin/cash/:option/lines': 'admin',
  'GET /admin/cash/:option/movements': 'admin',
  'POST /admin/cash/:option/match': 'admin',
  'GET /admin/bank_lines/:id/candidates': 'admin',
  'PATCH /admin/bank_lines/:id/match': 'admin',
  'PATCH /admin/bank_lines/:id/unmatch': 'admin',
}

const REFUSED_CODES = [
  'NOT_SIGNED_IN',
  'NOT_ALLOWED',
  'WAITING_FOR_APPROVAL',
  'MFA_ENROLMENT_REQUIRED',
  'ADDRESS_NOT_ALLOWED',
]
const SIGNED_OUT: readonly Actor[] = ['anonymous', 'denied', 'deactivated']
const AN_ID = '0123456789abcdefghjk'

/** Each call by each kind of person; what is answered wrongly, in words. */
async function findViolations(gateway: TestGateway): Promise<readonly string[]> {
  const violations: string[] = []
  const tryAll = async (actors: readonly Actor[]) => {
    for (const who of actors) {
      for (const route of gateway.routes) {
        // A new session for each call, because logging out is one of them.
        const visitor = await visitWith(gateway, who)
        const wrong = await tryRoute(gateway, route, { who, visitor })
        if (wrong !== null) violations.push(wrong)
      }
    }
  }
  await tryAll(USUAL)
  await setSettings(gateway, { security: { twoFactorAuth: true } })
  await tryAll(['unenrolled admin'])
  await setSettings(gateway, { security: { ipWhitelist: ['203.0.113.7'] } })
  await tryAll(['outside admin'])
  await setSettings(gateway, {})
  return violations
}

async function visitWith(gateway: TestGateway, who: Actor): Promise<Visitor | null> {
  if (who === 'unenrolled admin' || who === 'outside admin') return visitAs(gateway, 'admin')
  if (who === 'second investor') return visitAs(gateway, 'investor')
  if (who !== 'denied' && who !== 'deactivated') return visitAs(gateway, who)
  const visitor = await visitAs(gateway, 'investor')
  // The session is left as it was, as if ending it had failed.
  await gateway.db
    .updateTable('identity.user')
    .set({ status: who })
    .where('id', '=', visitor?.userId ?? '')
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
  const allowed: readonly Actor[] = ALLOWED[expected]
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

  test('every call of the registry answers exactly those it is for', async () => {
    expect(await findViolations(gateway)).toEqual([])
    expect(gateway.routes.length * EVERYBODY.length).toBeGreaterThanOrEqual(396)
  }, 120_000)

  test('names every call of the registry and no other', () => {
    const declared = gateway.routes.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(declared.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
  })

  test('the published document names the same calls', async () => {
    const response = await fetch(`${gateway.url}/api/v1/openapi.json`)
    const { openapi, paths } = (await response.json()) as {
      openapi: string
      paths: Record<string, Record<string, { 'x-access': string }>>
    }
    expect(openapi).toBe('3.1.0')
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => {
        const plain = path.replace('/api/v1', '').replace(/\{(\w+)\}/g, ':$1')
        return [`${method.toUpperCase()} ${plain}`, call['x-access']]
      }),
    )
    expect(Object.fromEntries(named)).toEqual(EXPECTED)
  })

  test('a call that nobody declared is not found, whoever asks', async () => {
    for (const who of USUAL) {
      const visitor = await visitWith(gateway, who)
      const reply = await send(gateway, visitor, { method: 'GET', path: '/admin/secrets' })
      expect(reply.status).toBe(404)
    }
  })
})

describe('its sabotaged twin, in which no call asks who calls', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      alterRoute: (route) => ({ ...route, endpoint: { ...route.endpoint, access: 'anyone' } }),
    })
  })
  afterAll(() => gateway.stop())

  test('is caught on every call that is not for anyone', async () => {
    const violations = await findViolations(gateway)
    const guarded = Object.entries(EXPECTED).filter(([, access]) => access !== 'anyone')
    const missed = guarded.filter(([name]) => !violations.some((text) => text.startsWith(name)))
    expect(missed).toEqual([])
  }, 120_000)
})
