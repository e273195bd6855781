import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addUser,
  openVisit,
  PASSWORD,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
// The clock moves only when a test moves it, so that no delay ends early on a slow machine.
let nowMs = Date.now()
beforeAll(async () => {
  const clock = { now: () => nowMs }
  gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, clock }) })
})
afterAll(() => gateway.stop())

const sendLogin = (email: string, password: string) =>
  send(gateway, null, { method: 'POST', path: '/users/login', body: { email, password } })

async function addInvestor(): Promise<{ id: string; email: string }> {
  const id = await addUser(gateway, { role: 'user', status: 'active' })
  return { id, email: `${id}@example.com` }
}

async function visit(who: 'investor' | 'admin'): Promise<Visitor> {
  const visitor = await visitAs(gateway, who)
  if (visitor === null) throw new Error(`${who} has a session`)
  return visitor
}

describe('logging in', () => {
  test('creates a session that only its cookie opens', async () => {
    const { email, id } = await addInvestor()
    const reply = await sendLogin(email, PASSWORD)
    expect(reply.status).toBe(200)
    const session = reply.headers.getSetCookie().find((line) => line.startsWith('sid=')) ?? ''
    expect(session).toMatch(/^sid=[\w-]{43}; Path=\/; SameSite=Lax; HttpOnly$/)
    const rows = await gateway.db
      .selectFrom('identity.session')
      .select('token_hash')
      .where('user_id', '=', id)
      .execute()
    expect(rows).toHaveLength(1)
    expect(session).not.toContain(rows[0]?.token_hash.toString('base64url'))
  })

  test('has the same answer for a wrong password and an unknown address', async () => {
    const { email } = await addInvestor()
    const wrong = await sendLogin(email, 'not the password')
    const unknown = await sendLogin('nobody@example.com', 'not the password')
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ message: 'Incorrect email or password' })
    expect(unknown.status).toBe(401)
    expect(unknown.body.message).toBe(wrong.body.message)
  })

  test('the fifth failure and each later one cause a delay, for registered and unknown addresses', async () => {
    const { email } = await addInvestor()
    for (const address of [email, 'stranger@example.com']) {
      for (let failure = 1; failure <= 5; failure += 1) {
        expect((await sendLogin(address, 'wrong password')).status).toBe(401)
      }
      const delayed = await sendLogin(address, PASSWORD)
      expect(delayed).toMatchObject({ status: 429, body: { code: 'LOGIN_DELAYED' } })
      expect(delayed.headers.get('retry-after')).toBe('1')
    }
    nowMs += 1_000
    expect((await sendLogin(email, PASSWORD)).status).toBe(200)
  })

  test('a browser that logged in before has a separate count, which a stranger cannot use up', async () => {
    const { email } = await addInvestor()
    const known = (await sendLogin(email, PASSWORD)).headers.getSetCookie()
    const device = known.find((line) => line.startsWith('device='))?.split(';')[0] ?? ''
    for (let failure = 1; failure <= 6; failure += 1) await sendLogin(email, 'a stranger guesses')
    expect((await sendLogin(email, PASSWORD)).status).toBe(429)
    const body = { email, password: PASSWORD }
    const owner = { cookie: device, csrfToken: '' }
    const reply = await send(gateway, owner, { method: 'POST', path: '/users/login', body })
    expect(reply.status).toBe(200)
    const elsewhere = { email: 'other@example.com', password: PASSWORD }
    for (let failure = 1; failure <= 6; failure += 1) await sendLogin(elsewhere.email, 'no')
    const request = { method: 'POST', path: '/users/login', body: elsewhere }
    expect((await send(gateway, owner, request)).status).toBe(429)
  })

  test('an idle session ends', async () => {
    const { id } = await addInvestor()
    const visitor = await openVisit(gateway, id)
    const me = { method: 'GET', path: '/users/me' }
    expect((await send(gateway, visitor, me)).status).toBe(200)
    nowMs += 901_000
    expect((await send(gateway, visitor, me)).status).toBe(401)
  })

  test('deactivating a user ends the sessions of the user at once', async () => {
    const { id } = await addInvestor()
    const visitor = await openVisit(gateway, id)
    const admin = await visit('admin')
    const path = `/users/${id}/status`
    const body = { status: 'deactivate' }
    expect((await send(gateway, admin, { method: 'PATCH', path, body })).status).toBe(200)
    expect(gateway.ledger.commands.at(-1)).toMatchObject({ type: 'SuspendInvestor' })
    expect((await send(gateway, visitor, { method: 'GET', path: '/users/me' })).status).toBe(401)
    const again = await send(gateway, admin, { method: 'PATCH', path, body: { status: 'deny' } })
    expect(again.status).toBe(409)
  })

  test('logging out by GET needs the header of a script', async () => {
    const visitor = await visit('investor')
    const path = '/users/logout'
    const headers = { 'x-requested-with': '' }
    expect((await send(gateway, visitor, { method: 'GET', path, headers })).status).toBe(403)
    const reply = await send(gateway, visitor, { method: 'GET', path })
    expect(reply.body).toEqual({ status: 'success', data: null })
    expect((await send(gateway, visitor, { method: 'GET', path: '/users/me' })).status).toBe(401)
  })
})

describe('changing something', () => {
  const body = { bankName: 'B', accountNumber: '1', accountName: 'A', accountType: 'Others' }
  const request = { method: 'POST', path: '/users/me/banks', body }

  test('is accepted with the session’s own token', async () => {
    expect((await send(gateway, await visit('investor'), request)).status).toBe(201)
  })

  test('is refused without the token, with another session’s, and with a planted pair', async () => {
    const visitor = await visit('investor')
    const other = await visit('investor')
    const sid = visitor.cookie.split(';')[0]
    const attempts = [
      { ...visitor, csrfToken: '' },
      { ...visitor, csrfToken: other.csrfToken },
      { cookie: `${sid}; XSRF-TOKEN=${other.csrfToken}`, csrfToken: other.csrfToken },
      { cookie: `${sid}; XSRF-TOKEN=a.b`, csrfToken: 'a.b' },
    ]
    for (const attempt of attempts) {
      expect(await send(gateway, attempt, request)).toMatchObject({
        status: 403,
        body: { code: 'CSRF' },
      })
    }
  })

  test('is refused from another site, with or without a session', async () => {
    const visitor = await visit('investor')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }]) {
      const reply = await send(gateway, visitor, { ...request, headers })
      expect(reply.body.code).toBe('CROSS_SITE')
      const anonymous = await send(gateway, null, {
        method: 'POST',
        path: '/users/login',
        body: {},
        headers,
      })
      expect(anonymous.body.code).toBe('CROSS_SITE')
    }
  })

  test('writes an audit row that cannot be changed', async () => {
    const visitor = await visit('investor')
    await send(gateway, visitor, request)
    const rows = await gateway.db
      .selectFrom('platform.audit')
      .select(['action', 'actor_id'])
      .where('actor_id', '=', visitor.userId)
      .execute()
    expect(rows).toEqual([{ action: 'bank-account.add', actor_id: visitor.userId }])
    const erase = gateway.db.deleteFrom('platform.audit').execute()
    await expect(erase).rejects.toThrow('permission denied')
  })
})
