import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  isSignedIn,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  visit,
} from '../../../testing/test-browser.ts'
import {
  PASSWORD,
  send,
  startTestGateway,
  type TestGateway,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

/** Logs one user in, in two browsers. */
async function openTwoBrowsers() {
  const person = await visit(gateway, 'investor')
  const first = await logInNewBrowser(gateway, person.email)
  const second = await logInNewBrowser(gateway, person.email)
  return { ...person, first, second }
}

describe('T29 a session', () => {
  test('has 256 random bits, is stored as a hash, and its cookie is HttpOnly and SameSite', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const reply = await logIn(openBrowser(gateway), email)
    const line = reply.headers.getSetCookie().find((cookie) => cookie.startsWith('sid=')) ?? ''
    expect(line).toMatch(/^sid=[\w-]{43}; Path=\/; SameSite=Lax; HttpOnly$/)
    const token = /^sid=([\w-]+)/.exec(line)?.[1] ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const rows = await gateway.db
      .selectFrom('identity.session')
      .select('token_hash')
      .where('user_id', '=', userId)
      .execute()
    for (const { token_hash } of rows) {
      expect(token_hash.equals(Buffer.from(token, 'base64url'))).toBe(false)
    }
  })

  test('is recorded in the audit log as opened by its owner', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    await logInNewBrowser(gateway, email)
    const { actor_id: actor, subject } = await gateway.db
      .selectFrom('platform.audit')
      .select(['actor_id', 'subject'])
      .where('action', '=', 'user.login')
      .where('result', '=', 'success')
      .where('subject', '=', userId)
      .executeTakeFirstOrThrow()
    expect({ actor, subject }).toEqual({ actor: userId, subject: userId })
  })

  test('is `__Host-` and secure behind TLS', async () => {
    const publicUrl = 'https://gateway.test'
    const secure = await startTestGateway({ alterDeps: (deps) => ({ ...deps, publicUrl }) })
    const { email } = await visit(secure, 'investor')
    const reply = await logIn(openBrowser(secure), email)
    const line = reply.headers.getSetCookie().find((cookie) => cookie.includes('sid=')) ?? ''
    expect(line).toMatch(/^__Host-sid=[\w-]{43}; Path=\/; SameSite=Lax; HttpOnly; Secure$/)
    const all = reply.headers.getSetCookie()
    expect(
      all.filter((cookie) => !/; SameSite=Lax(; HttpOnly)?; Secure(;|$)/.test(cookie)),
    ).toEqual([])
    // Scripts read this cookie. Its name is part of the published API, so the name has no prefix.
    const others = all.filter((cookie) => !cookie.startsWith('__Host-'))
    expect(others.map((cookie) => cookie.split('=')[0])).toEqual(['XSRF-TOKEN'])
    await secure.stop()
  })

  test('is replaced at a login, so a session from before the login is invalid', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    const old = openBrowser(gateway, { cookie: `sid=${browser.cookies.get('sid')}` })
    browser.cookies.set('sid', browser.cookies.get('sid') ?? '')
    await logIn(browser, email)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await isSignedIn(old)).toBe(false)
    const planted = openBrowser(gateway, { cookie: `sid=${'A'.repeat(43)}` })
    await logIn(planted, email)
    expect(planted.cookies.get('sid')).not.toBe('A'.repeat(43))
  })

  test.each([
    ['logging out', 'GET', '/users/logout'],
    ['logging out by POST', 'POST', '/users/logout'],
  ])('ends by %s, and its token opens nothing again', async (_what, method, path) => {
    const { email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    const copy = openBrowser(gateway, { cookie: `sid=${browser.cookies.get('sid')}` })
    const reply = await browser.call(method, path)
    expect(reply.headers.get('clear-site-data')).toBe('"cache", "storage"')
    expect(await isSignedIn(copy)).toBe(false)
  })

  test('ends in all browsers when the account is deactivated, denied, deleted or revoked', async () => {
    const admin = await logInNewBrowser(gateway, (await visit(gateway, 'admin')).email)
    for (const [method, path, body] of [
      ['PATCH', 'status', { status: 'deactivate' }],
      ['POST', 'sessions/revoke', {}],
      ['POST', 'force_reset', {}],
      ['DELETE', '', {}],
    ] as const) {
      const { first, second, userId } = await openTwoBrowsers()
      const target = path === '' ? `/users/${userId}` : `/users/${userId}/${path}`
      const reply = await admin.call(method, target, body)
      expect(reply.status, target).toBeLessThan(300)
      expect([await isSignedIn(first), await isSignedIn(second)], target).toEqual([false, false])
    }
  })

  test('ends elsewhere, and is renewed here, when the password changes', async () => {
    const { first, second } = await openTwoBrowsers()
    const copy = openBrowser(gateway, { cookie: `sid=${first.cookies.get('sid')}` })
    const newPassword = 'a quite new passphrase'
    const body = { currentPassword: PASSWORD, newPassword, passwordConfirm: newPassword }
    expect((await first.call('PATCH', '/users/me/password', body)).status).toBe(200)
    expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(copy)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('can be listed and ended by its owner only', async () => {
    const { first, second } = await openTwoBrowsers()
    const stranger = await logInNewBrowser(gateway, (await visit(gateway, 'investor')).email)
    const list = await first.call('GET', '/users/me/sessions')
    const { sessions } = list.body.data as unknown as {
      sessions: { id: string; isCurrent: boolean; ip: string }[]
    }
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    const other = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    const path = `/users/me/sessions/${other}`
    const foreign = await stranger.call('DELETE', path)
    const absent = await stranger.call('DELETE', `/users/me/sessions/${'0'.repeat(24)}`)
    expect([foreign.status, foreign.failure.message]).toEqual([404, absent.failure.message])
    expect(await isSignedIn(second)).toBe(true)
    const sessionsOf = JSON.stringify(list.body)
    expect(sessionsOf).not.toContain(second.cookies.get('sid'))
    // `visit` also opened a session, so the user has three sessions.
    expect((await first.call('DELETE', path)).status).toBe(204)
    expect((await first.call('DELETE', '/users/me/sessions')).status).toBe(204)
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, false])
  })

  test('can be seen and ended by an administrator, which is audited', async () => {
    const { first, second, userId } = await openTwoBrowsers()
    const admin = await visit(gateway, 'admin')
    const sendAsAdmin = (method: string, path: string) => send(gateway, admin, { method, path })
    const list = await sendAsAdmin('GET', `/users/${userId}/sessions`)
    const { sessions } = list.body.data as unknown as { sessions: { id: string }[] }
    expect(sessions.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(list.body)).not.toContain(second.cookies.get('sid'))
    const foreign = `/users/${admin.userId}/sessions/${sessions[0]?.id}`
    expect((await sendAsAdmin('DELETE', foreign)).status).toBe(404)
    for (const { id } of sessions) {
      expect((await sendAsAdmin('DELETE', `/users/${userId}/sessions/${id}`)).status).toBe(204)
    }
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, false])
    const rows = await gateway.db
      .selectFrom('platform.audit')
      .select('subject')
      .where('action', '=', 'user.end-session')
      .where('result', '=', 'success')
      .where('actor_id', '=', admin.userId)
      .execute()
    expect(rows.map(({ subject }) => subject)).toEqual(sessions.map(() => userId))
  })

  test('ends after half an hour without use, and after twelve hours with it', async () => {
    const { email } = await visit(gateway, 'investor')
    const idle = await logInNewBrowser(gateway, email)
    gateway.moveClock(31 * 60_000)
    expect(await isSignedIn(idle)).toBe(false)
    const used = await logInNewBrowser(gateway, email)
    for (let quarter = 0; quarter < 47; quarter += 1) {
      gateway.moveClock(15 * 60_000)
      expect(await isSignedIn(used)).toBe(true)
    }
    gateway.moveClock(16 * 60_000)
    expect(await isSignedIn(used)).toBe(false)
  })

  test('of an administrator ends after a quarter of an hour, and is never remembered', async () => {
    const { email } = await visit(gateway, 'admin')
    const browser = openBrowser(gateway)
    const body = { email, password: PASSWORD, remember: true }
    const reply = await browser.call('POST', '/users/login', body)
    expect(reply.headers.getSetCookie().join()).not.toContain('Max-Age=2592000')
    gateway.moveClock(16 * 60_000)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('that is remembered lasts thirty days', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = openBrowser(gateway)
    await browser.call('POST', '/users/login', { email, password: PASSWORD, remember: true })
    gateway.moveClock(29 * 86_400_000)
    expect(await isSignedIn(browser)).toBe(true)
    gateway.moveClock(86_400_000)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('in a new browser is mailed to the owner, except for the first one', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    expect(await readMails(gateway, userId)).toEqual([])
    await logIn(browser, email)
    expect(await readMails(gateway, userId)).toEqual([])
    await logInNewBrowser(gateway, email)
    expect((await readMails(gateway, userId)).map(({ kind }) => kind)).toEqual(['new-login'])
  })

  test('sabotaged twin: without the idle limit, the session does not end', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    await gateway.db
      .updateTable('identity.session')
      .set({ idle_seconds: 10_000_000 })
      .where('user_id', '=', userId)
      .execute()
    gateway.moveClock(31 * 60_000)
    expect(await isSignedIn(browser)).toBe(true)
  })
})
