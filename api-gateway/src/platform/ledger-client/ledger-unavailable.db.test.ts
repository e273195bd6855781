import type { Answer } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginLogin, enrolPasskey } from '../../../testing/passkey-browser.ts'
import { getId, type Scene, startScene } from '../../../testing/scene.ts'
import {
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  visit,
} from '../../../testing/test-browser.ts'
import {
  openVisit,
  PASSWORD,
  type Reply,
  send,
  type TestGateway,
} from '../../../testing/test-gateway.ts'
import { createExamples, createValidRequests } from '../../../testing/valid-requests.ts'
import { listFailures } from '../http/documented-failures.ts'
import type { Route } from '../http/registry.ts'
import { claimLedger } from './site-ledger.ts'

const ELEVEN_DAYS_MS = 11 * 86_400_000
const BUSY: Answer = { outcome: 'failed', code: 'OVERLOADED', message: 'the queue is full' }

let scene: Scene
let ask: (route: Route) => Promise<Reply>
beforeAll(async () => {
  scene = await startScene()
  const known = await createExamples(scene)
  // After eleven days, profit is due on the test investment. The sessions expire within these
  // eleven days.
  scene.gateway.moveClock(ELEVEN_DAYS_MS)
  for (const who of ['admin', 'investor'] as const) {
    scene[who] = await openVisit(scene.gateway, scene[who].userId)
  }
  ask = createValidRequests(scene, known)
  // The ledger signs a receipt at the start, so that the signing key can be replaced.
  await scene.gateway.ledger.ask('receipt', { seq: 0n })
})
afterAll(() => scene?.gateway.stop())

/** Endpoints that need a code or a passkey. `prepareMultiStepCalls` creates their requests. */
const BY_HAND = new Set([
  'POST /users/login/mfa',
  'POST /users/login/passkey',
  'POST /users/me/email/confirm',
  // The example user is an investor and has no roles.
  'PUT /users/:id/roles',
  // The example bank account does not belong to the example user.
  'POST /users/:id/payouts',
  // The example site has no ledger that can be opened.
  'PATCH /admin/ledgers/:number',
])
const getRouteName = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

async function prepareMultiStepCalls(
  gateway: TestGateway,
): Promise<readonly (() => Promise<Reply>)[]> {
  const enrolled = await visit(gateway, 'investor')
  const app = await enrolTotp(gateway, await logInNewBrowser(gateway, enrolled.email))
  const halfWay = openBrowser(gateway)
  await logIn(halfWay, enrolled.email)
  const mover = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, mover.email)
  const profile = { name: 'Anna', email: 'anna@example.com', phone: '+1 555 0199', country: 'DE' }
  await browser.call('PUT', '/users/update-profile', profile)
  const [mail] = await readMails(gateway, mover.userId)
  const proof = { code: mail?.content.code, password: PASSWORD }
  const { passkey } = await enrolPasskey(gateway, 'investor')
  const visitor = openBrowser(gateway)
  const credential = passkey.get(await beginLogin(visitor))
  const owner = await visit(gateway, 'admin')
  const other = await visit(gateway, 'admin')
  const bankOwner = await visit(gateway, 'investor')
  const bank = { bankName: 'B', accountNumber: '7', accountName: 'A', accountType: 'Others' }
  const added = await (await logInNewBrowser(gateway, bankOwner.email)).call(
    'POST',
    '/users/me/banks',
    bank,
  )
  const bank_id = getId(added.body.data ?? {}, 'account')
  await gateway.db
    .updateTable('platform.bank_account')
    .set({ confirmed_at: new Date(0), usable_from: new Date(0) })
    .execute()
  const payout = { wallet_type: 'balance', amount: '5', bank_id, reason: 'Asked by letter' }
  const roles = { roles: [{ role: 'support', endsAt: null }] }
  return [
    () => halfWay.call('POST', '/users/login/mfa', { code: app.getCode() }),
    () => browser.call('POST', '/users/me/email/confirm', proof),
    () => visitor.call('POST', '/users/login/passkey', { credential }),
    () =>
      send(gateway, owner, {
        method: 'POST',
        path: `/users/${bankOwner.userId}/payouts`,
        body: payout,
      }),
    () =>
      send(gateway, owner, { method: 'PUT', path: `/users/${other.userId}/roles`, body: roles }),
    async () => {
      await claimLedger(gateway.db, 1)
      await gateway.db.updateTable('platform.ledger').set({ is_open: false }).execute()
      const path = '/admin/ledgers/1'
      return send(gateway, owner, { method: 'PATCH', path, body: { isOpen: true } })
    },
  ]
}

function listRoutesWithFailure(code: string): readonly Route[] {
  return scene.gateway.routes.filter((route) =>
    listFailures(route).some((one) => one.code === code),
  )
}

/**
 * Calls each endpoint that declares the failure `code`. Returns the endpoints whose answer does not
 * have this code and `status`.
 */
async function findOtherAnswers(code: string, status: number): Promise<readonly string[]> {
  const other: string[] = []
  for (const route of listRoutesWithFailure(code)) {
    if (BY_HAND.has(getRouteName(route))) continue
    const reply = await ask(route)
    if (reply.status === status && reply.body.code === code) continue
    other.push(
      `${getRouteName(route)}: ${reply.status} ${JSON.stringify(reply.body)}`.slice(0, 300),
    )
  }
  return other
}

test('a busy ledger causes a 429 at every call that sends a command', async () => {
  scene.gateway.ledger.answerWith = () => BUSY
  const other = await findOtherAnswers('OVERLOADED', 429)
  scene.gateway.ledger.answerWith = () => null
  expect(other).toEqual([])
})

test('an unavailable ledger causes a 503 at every call that uses the ledger, and at no other call', async () => {
  const byHand = await prepareMultiStepCalls(scene.gateway)
  const asking = new Set(listRoutesWithFailure('LEDGER_UNAVAILABLE').map(getRouteName))
  const listPeople = () =>
    scene.gateway.db.selectFrom('identity.user').selectAll().orderBy('id').execute()
  const before = await listPeople()
  await scene.gateway.stopLedger()
  expect(await findOtherAnswers('LEDGER_UNAVAILABLE', 503)).toEqual([])
  for (const attempt of byHand) {
    expect(await attempt()).toMatchObject({ status: 503, body: { code: 'LEDGER_UNAVAILABLE' } })
  }
  // If a call answers that the ledger is unavailable, the call has changed nothing, so a client can
  // repeat the request.
  expect(await listPeople()).toEqual(before)
  for (const route of scene.gateway.routes) {
    if (asking.has(getRouteName(route))) continue
    const reply = await ask(route)
    expect([getRouteName(route), reply.status]).not.toEqual([getRouteName(route), 503])
  }
  // The answers about amounts and times need the ledger; the stored answers do not.
  const questions = { method: 'GET', path: '/public/faqs' } as const
  const { status, body } = await send(scene.gateway, null, questions)
  expect(status).toBe(200)
  expect(JSON.stringify(body)).toContain('When can I withdraw?')
  expect(JSON.stringify(body)).not.toContain('What are the minimum amounts')
  expect(JSON.stringify(body)).not.toContain('How long does a deposit')
})
