import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../http/server.ts'
import {
  arrive,
  type Browser,
  enrol,
  logIn,
  openBrowser,
  readMails,
  visit,
} from '../testing/arrival.ts'
import { PASSWORD, send, startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const isIn = async (browser: Browser) => (await browser.call('GET', '/users/me')).status === 200

/** Two browsers of one person. */
async function twoBrowsers() {
  const person = await visit(gateway, 'investor')
  const first = await arrive(gateway, person.email)
  const second = await arrive(gateway, person.email)
  return { ...person, first, second }
}

describe('T29 a session', () => {
  test('has 256 random bits, is kept as a hash, and its cookie is a script’s and a stranger’s to none', async () => {
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

  test('is opened by its owner, as the audit trail says', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    await arrive(gateway, email)
    const { actor_id: actor, subject } = await gateway.db
      .selectFrom('platform.audit')
      .select(['actor_id', 'subject'])
      .where('action', '=', 'user.login')
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
    await secure.stop()
  })

  test('cannot be brought along: a login opens a new one, and the old one is dead', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await arrive(gateway, email)
    const old = openBrowser(gateway, { cookie: `sid=${browser.cookies.get('sid')}` })
    browser.cookies.set('sid', browser.cookies.get('sid') ?? '')
    await logIn(browser, email)
    expect(await isIn(browser)).toBe(true)
    expect(await isIn(old)).toBe(false)
    const planted = openBrowser(gateway, { cookie: `sid=${'A'.repeat(43)}` })
    await logIn(planted, email)
    expect(planted.cookies.get('sid')).not.toBe('A'.repeat(43))
  })

  test.each([
    ['logging out', 'GET', '/users/logout'],
    ['logging out by POST', 'POST', '/users/logout'],
  ])('ends by %s, and its token opens nothing again', async (_what, method, path) => {
    const { email } = await visit(gateway, 'investor')
    const browser = await arrive(gateway, email)
    const copy = openBrowser(gateway, { cookie: `sid=${browser.cookies.get('sid')}` })
    const reply = await browser.call(method, path)
    expect(reply.headers.get('clear-site-data')).toBe('"cache", "storage"')
    expect(await isIn(copy)).toBe(false)
  })

  test('ends in all browsers when the account is deactivated, denied, deleted or revoked', async () => {
    const admin = await arrive(gateway, (await visit(gateway, 'admin')).email)
    for (const [method, path, body] of [
      ['PATCH', 'status', { status: 'deactivate' }],
      ['POST', 'sessions/revoke', {}],
      ['POST', 'force_reset', {}],
      ['DELETE', '', {}],
    ] as const) {
      const { first, second, userId } = await twoBrowsers()
      const target = path === '' ? `/users/${userId}` : `/users/${userId}/${path}`
      const reply = await admin.call(method, target, body)
      expect(reply.status, target).toBeLessThan(300)
      expect([await isIn(first), await isIn(second)], target).toEqual([false, false])
    }
  })

  test('ends elsewhere, and is renewed here, when the password changes', async () => {
    const { first, second } = await twoBrowsers()
    const copy = openBrowser(gateway, { cookie: `sid=${first.cookies.get('sid')}` })
    const newPassword = 'a quite new passphrase'
    const body = { currentPassword: PASSWORD, newPassword, passwordConfirm: newPassword }
    expect((await first.call('PATCH', '/users/me/password', body)).status).toBe(200)
    expect([await isIn(first), await isIn(second), await isIn(copy)]).toEqual([true, false, false])
  })

  test('can be seen and ended by its owner, and by nobody else', async () => {
    const { first, second } = await twoBrowsers()
    const stranger = await arrive(gateway, (await visit(gateway, 'investor')).email)
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
    expect(await isIn(second)).toBe(true)
    const sessionsOf = JSON.stringify(list.body)
    expect(sessionsOf).not.toContain(second.cookies.get('sid'))
    // The one above came from the test, not from a login, so there are three.
    expect((await first.call('DELETE', path)).status).toBe(204)
    expect((await first.call('DELETE', '/users/me/sessions')).status).toBe(204)
    expect([await isIn(first), await isIn(second)]).toEqual([true, false])
  })

  test('can be seen and ended by an administrator, which is written down', async () => {
    const { first, second, userId } = await twoBrowsers()
    const admin = await visit(gateway, 'admin')
    const ask = (method: string, path: string) => send(gateway, admin, { method, path })
    const list = await ask('GET', `/users/${userId}/sessions`)
    const { sessions } = list.body.data as unknown as { sessions: { id: string }[] }
    expect(sessions.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(list.body)).not.toContain(second.cookies.get('sid'))
    const foreign = `/users/${admin.userId}/sessions/${sessions[0]?.id}`
    expect((await ask('DELETE', foreign)).status).toBe(404)
    for (const { id } of sessions) {
      expect((await ask('DELETE', `/users/${userId}/sessions/${id}`)).status).toBe(204)
    }
    expect([await isIn(first), await isIn(second)]).toEqual([false, false])
    const rows = await gateway.db
      .selectFrom('platform.audit')
      .select('subject')
      .where('action', '=', 'user.end-session')
      .where('actor_id', '=', admin.userId)
      .execute()
    expect(rows.map(({ subject }) => subject)).toEqual(sessions.map(() => userId))
  })

  test('ends after half an hour without use, and after twelve hours with it', async () => {
    const { email } = await visit(gateway, 'investor')
    const idle = await arrive(gateway, email)
    gateway.moveClock(31 * 60_000)
    expect(await isIn(idle)).toBe(false)
    const used = await arrive(gateway, email)
    for (let quarter = 0; quarter < 47; quarter += 1) {
      gateway.moveClock(15 * 60_000)
      expect(await isIn(used)).toBe(true)
    }
    gateway.moveClock(16 * 60_000)
    expect(await isIn(used)).toBe(false)
  })

  test('of an administrator ends after a quarter of an hour, and is never remembered', async () => {
    const { email } = await visit(gateway, 'admin')
    const browser = openBrowser(gateway)
    const body = { email, password: PASSWORD, remember: true }
    const reply = await browser.call('POST', '/users/login', body)
    expect(reply.headers.getSetCookie().join()).not.toContain('Max-Age=2592000')
    gateway.moveClock(16 * 60_000)
    expect(await isIn(browser)).toBe(false)
  })

  test('that is remembered lasts thirty days', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = openBrowser(gateway)
    await browser.call('POST', '/users/login', { email, password: PASSWORD, remember: true })
    gateway.moveClock(29 * 86_400_000)
    expect(await isIn(browser)).toBe(true)
    gateway.moveClock(86_400_000)
    expect(await isIn(browser)).toBe(false)
  })

  test('in a browser not seen before is told to the owner, but not the very first', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const browser = await arrive(gateway, email)
    expect(await readMails(gateway, userId)).toEqual([])
    await logIn(browser, email)
    expect(await readMails(gateway, userId)).toEqual([])
    await arrive(gateway, email)
    expect((await readMails(gateway, userId)).map(({ kind }) => kind)).toEqual(['new-login'])
  })

  test('sabotaged twin: a session whose idle time is not counted lives on', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const browser = await arrive(gateway, email)
    await gateway.db
      .updateTable('identity.session')
      .set({ idle_seconds: 10_000_000 })
      .where('user_id', '=', userId)
      .execute()
    gateway.moveClock(31 * 60_000)
    expect(await isIn(browser)).toBe(true)
  })
})

describe('the idle time of a session', () => {
  const MINUTE_MS = 60_000
  type Life = { idleSecondsLeft: number; secondsLeft: number }
  async function lifeOf(browser: Browser, method = 'GET'): Promise<Life> {
    const reply = await browser.call(method, '/users/me/session')
    return (reply.body.data as unknown as { session: Life }).session
  }
  async function arriveAnew() {
    const { email, userId } = await visit(gateway, 'investor')
    return { userId, browser: await arrive(gateway, email) }
  }

  test('is told with the limit that nothing moves, and asking is no use', async () => {
    const { browser } = await arriveAnew()
    const before = await lifeOf(browser)
    expect(before.idleSecondsLeft).toBeGreaterThan(29 * 60)
    expect(before.secondsLeft).toBeGreaterThan(11 * 3_600)
    gateway.moveClock(20 * MINUTE_MS)
    expect((await lifeOf(browser)).idleSecondsLeft).toBeLessThanOrEqual(10 * 60)
    gateway.moveClock(9 * MINUTE_MS)
    expect((await lifeOf(browser)).idleSecondsLeft).toBeLessThanOrEqual(60)
    gateway.moveClock(MINUTE_MS)
    expect((await browser.call('GET', '/users/me/session')).status).toBe(401)
  })

  test('begins anew when somebody says to be there, in the other tab too', async () => {
    const { browser } = await arriveAnew()
    gateway.moveClock(28 * MINUTE_MS)
    const kept = await lifeOf(browser, 'POST')
    expect(kept.idleSecondsLeft).toBe(30 * 60)
    expect(kept.secondsLeft).toBeLessThan(12 * 3_600 - 28 * 60 + 1)
    expect((await lifeOf(browser)).idleSecondsLeft).toBeGreaterThan(29 * 60)
  })

  test('never reaches past the limit of all', async () => {
    const { browser, userId } = await arriveAnew()
    const soon = new Date(gateway.deps.clock.now() + 5 * MINUTE_MS)
    const mine = gateway.db.updateTable('identity.session').where('user_id', '=', userId)
    await mine.set({ expires_at: soon }).execute()
    const { idleSecondsLeft, secondsLeft } = await lifeOf(browser, 'POST')
    expect(idleSecondsLeft).toBe(secondsLeft)
    expect(secondsLeft).toBeLessThanOrEqual(300)
  })

  test.each([
    ['a read in the background', '/users/me', { 'X-Background': 'true' }],
    ['the stream of events', '/events', undefined],
  ])('is not made longer by %s', async (_what, path, headers) => {
    const { browser } = await arriveAnew()
    gateway.moveClock(20 * MINUTE_MS)
    const reply = await browser.call('GET', path, undefined, headers)
    expect(reply.status).toBe(200)
    expect((await lifeOf(browser)).idleSecondsLeft).toBeLessThanOrEqual(10 * 60)
  })

  test('sabotaged twin: without its header the read in the background keeps a session open', async () => {
    const { browser } = await arriveAnew()
    gateway.moveClock(20 * MINUTE_MS)
    await browser.call('GET', '/users/me')
    expect((await lifeOf(browser)).idleSecondsLeft).toBeGreaterThan(29 * 60)
  })
})

/** Each byte flipped, cut, doubled, too long, in other clothes. */
function tamperedCookies(sid: string): readonly string[] {
  const flipped = [...sid].map((character, place) => {
    const wrong = character === 'A' ? 'B' : 'A'
    return `${sid.slice(0, place)}${wrong}${sid.slice(place + 1)}`
  })
  return [
    // The last character carries two bits that base 64 leaves unused, and is compared all the same.
    ...flipped.map((token) => `sid=${token}`),
    ...[0, 1, 20, 42].map((length) => `sid=${sid.slice(0, length)}`),
    `sid=${sid}${sid}`,
    `sid=${sid} `.padEnd(5_000, 'x'),
    `sid="${sid}"`,
    `sid=${sid}%00`,
    `SID=${sid}`,
    `sid=x; sid=${sid}`,
    `sid=${sid}; sid=x`,
    `__Host-sid=${sid}`,
  ]
}

/** The cookies that open somebody's session. */
async function findOpening(at: TestGateway, cookies: readonly string[]): Promise<string[]> {
  const opening: string[] = []
  for (const cookie of cookies) {
    const reply = await send(at, { cookie, csrfToken: '' }, { method: 'GET', path: '/users/me' })
    if (reply.status === 200) opening.push(cookie)
  }
  return opening
}

describe('T52 a cookie that was tampered with', () => {
  test('opens nothing: each byte flipped, cut, doubled, too long, swapped', async () => {
    const { email } = await visit(gateway, 'investor')
    const sid = (await arrive(gateway, email)).cookies.get('sid') ?? ''
    const other = (await arrive(gateway, (await visit(gateway, 'investor')).email)).cookies
    expect(await findOpening(gateway, tamperedCookies(sid))).toEqual([])
    const mixed = openBrowser(gateway, { cookie: `sid=${sid}` })
    mixed.cookies.set('XSRF-TOKEN', other.get('XSRF-TOKEN') ?? '')
    const swapped = await mixed.call('DELETE', '/users/me/sessions')
    expect(swapped).toMatchObject({ status: 403, failure: { code: 'CSRF' } })
    expect(await isIn(openBrowser(gateway, { cookie: `sid=${sid}` }))).toBe(true)
  })

  test('of a login half-way or a known device opens nothing either', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await arrive(gateway, email)
    await enrol(gateway, browser)
    const half = openBrowser(gateway)
    await logIn(half, email)
    const mfa = half.cookies.get('mfa') ?? ''
    expect(mfa).not.toBe('')
    for (const cookie of [`sid=${mfa}`, `sid=${browser.cookies.get('device')}`, `mfa=${mfa}`]) {
      expect(await isIn(openBrowser(gateway, { cookie }))).toBe(false)
    }
  })
})

describe('T52 its sabotaged twin, which takes the first token it finds in the cookies', () => {
  let kind: TestGateway
  beforeAll(async () => {
    kind = await startTestGateway({
      listen: (listener, address) =>
        listen((request, response) => {
          const token = /[\w-]{43}/.exec(request.headers.cookie ?? '')?.[0]
          if (token !== undefined) request.headers.cookie = `sid=${token}`
          listener(request, response)
        }, address),
    })
  })
  afterAll(() => kind?.stop())

  test('is caught', async () => {
    const { email } = await visit(kind, 'investor')
    const sid = (await arrive(kind, email)).cookies.get('sid') ?? ''
    const opening = await findOpening(kind, tamperedCookies(sid))
    expect(opening).toEqual(tamperedCookies(sid).filter((cookie) => cookie.includes(sid)))
  })
})
