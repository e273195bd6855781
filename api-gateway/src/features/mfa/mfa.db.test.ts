import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  createApp,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  setSettings,
  skipEndingTotpStep,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { beginTotpSetup } from './mfa.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(() => setSettings(gateway, {}))
afterAll(() => gateway.stop())

async function enrolPerson(who: 'admin' | 'investor') {
  const person = await visit(gateway, who)
  const browser = await logInNewBrowser(gateway, person.email)
  const app = await enrolTotp(gateway, browser)
  return { ...person, browser, app }
}

/**
 * Enters a correct password in a new browser. `enterCode` then enters a code of the second factor.
 */
async function logInUpToSecondFactor(email: string) {
  const browser = openBrowser(gateway)
  const reply = await logIn(browser, email)
  return {
    browser,
    reply,
    enterCode: (code: string) => browser.call('POST', '/users/login/mfa', { code }),
  }
}

describe('T37 the second factor', () => {
  test('is asked for after the password, and opens the session', async () => {
    const { email, app } = await enrolPerson('admin')
    const { browser, reply, enterCode } = await logInUpToSecondFactor(email)
    expect(reply.body.data).toEqual({
      mfa: { required: true, isEnrolled: true, methods: ['totp', 'recovery'] },
    })
    expect(browser.cookies.has('sid')).toBe(false)
    expect((await browser.call('GET', '/users/me')).status).toBe(401)
    const proved = await enterCode(app.getCode())
    expect(proved.body.data).toMatchObject({ user: { email, isMfaEnabled: true } })
    expect((await browser.call('GET', '/admin/settings')).status).toBe(200)
  })

  test('accepts each code once, one step early or late, and no code two steps away', async () => {
    const { email, app } = await enrolPerson('investor')
    const first = await logInUpToSecondFactor(email)
    skipEndingTotpStep(gateway)
    expect((await first.enterCode(app.getCode(-2))).failure.code).toBe('MFA_CODE_WRONG')
    expect((await first.enterCode(app.getCode(2))).failure.code).toBe('MFA_CODE_WRONG')
    const code = app.getCode()
    expect((await first.enterCode(code)).status).toBe(200)
    const second = await logInUpToSecondFactor(email)
    expect((await second.enterCode(code)).failure.code).toBe('MFA_CODE_WRONG')
    expect((await second.enterCode(app.getCode(1))).status).toBe(200)
  })

  test('sabotaged twin: a server that does not store the last step accepts a code twice', async () => {
    const { email, app, userId } = await enrolPerson('investor')
    const code = app.getCode()
    expect((await (await logInUpToSecondFactor(email)).enterCode(code)).status).toBe(200)
    const last_step = 0
    await gateway.db
      .updateTable('identity.totp')
      .set({ last_step })
      .where('user_id', '=', userId)
      .execute()
    expect((await (await logInUpToSecondFactor(email)).enterCode(code)).status).toBe(200)
  })

  test('one right code sent twenty times at once opens one session', async () => {
    const { email, app, userId } = await enrolPerson('investor')
    await gateway.db.deleteFrom('identity.session').where('user_id', '=', userId).execute()
    const { enterCode } = await logInUpToSecondFactor(email)
    const replies = await Promise.all(Array.from({ length: 20 }, () => enterCode(app.getCode())))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const sessions = await gateway.db
      .selectFrom('identity.session')
      .select('token_hash')
      .where('user_id', '=', userId)
      .execute()
    expect(sessions).toHaveLength(1)
  })

  test('checks five of 200 concurrent guesses, and then pauses for five minutes', async () => {
    const { email, app } = await enrolPerson('admin')
    const { enterCode } = await logInUpToSecondFactor(email)
    const wrong = ['000000', '111111'].find(
      (code) => ![-1, 0, 1].some((n) => app.getCode(n) === code),
    )
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => enterCode(wrong ?? '222222')),
    )
    const judged = replies.filter(({ failure }) => failure.code === 'MFA_CODE_WRONG')
    expect(judged).toHaveLength(5)
    const delayed = await enterCode(app.getCode())
    expect(delayed).toMatchObject({ status: 429, failure: { code: 'MFA_DELAYED' } })
    expect(delayed.failure.retryAfter).toBeGreaterThan(200)
    gateway.moveClock(301_000)
    expect((await enterCode(app.getCode())).status).toBe(200)
  })

  test('can be replaced by a recovery code, and each recovery code works once', async () => {
    const { email, app, browser } = await enrolPerson('investor')
    expect(app.recoveryCodes).toHaveLength(10)
    const [code = ''] = app.recoveryCodes
    expect((await (await logInUpToSecondFactor(email)).enterCode(code.toLowerCase())).status).toBe(
      200,
    )
    expect((await (await logInUpToSecondFactor(email)).enterCode(code)).failure.code).toBe(
      'MFA_CODE_WRONG',
    )
    const status = await browser.call('GET', '/users/me/mfa')
    expect(status.body.data).toMatchObject({ mfa: { isEnabled: true, recoveryCodesLeft: 9 } })
  })

  test('expires with its login, and is accepted only in the browser of the password', async () => {
    const { email, app } = await enrolPerson('investor')
    const stranger = openBrowser(gateway)
    const proof = { code: app.getCode() }
    const alone = await stranger.call('POST', '/users/login/mfa', proof)
    expect(alone).toMatchObject({ status: 401, failure: { code: 'MFA_LOGIN_EXPIRED' } })
    const { enterCode } = await logInUpToSecondFactor(email)
    gateway.moveClock(601_000)
    expect((await enterCode(app.getCode())).failure.code).toBe('MFA_LOGIN_EXPIRED')
  })

  test('is sealed in the database, and its recovery codes are hashes', async () => {
    const { userId, app } = await enrolPerson('admin')
    const [{ sealed }] = (await gateway.db
      .selectFrom('identity.totp')
      .select('sealed')
      .where('user_id', '=', userId)
      .execute()) as [{ sealed: Buffer }]
    expect(sealed.includes(app.secret)).toBe(false)
    expect(sealed.toString('latin1')).not.toContain(app.secret.toString('hex'))
    const rows = await gateway.db
      .selectFrom('identity.recovery_code')
      .select('code_hash')
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toHaveLength(10)
    const plain = app.recoveryCodes.map((code) => code.replaceAll('-', ''))
    for (const { code_hash } of rows) expect(plain).not.toContain(code_hash.toString('latin1'))
  })

  test('is in no answer and no audit row after its set-up', async () => {
    const { app, browser, userId } = await enrolPerson('investor')
    const { toBase32 } = await import('./totp.ts')
    const secret = toBase32(app.secret)
    for (const path of ['/users/me', '/users/me/mfa', '/users/me/sessions']) {
      expect(JSON.stringify((await browser.call('GET', path)).body)).not.toContain(secret)
    }
    const rows = await gateway.db
      .selectFrom('platform.audit')
      .select('details')
      .where('actor_id', '=', userId)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    const again = await browser.call('POST', '/users/me/mfa/setup', { password: PASSWORD })
    expect(again).toMatchObject({ status: 409, failure: { code: 'MFA_ALREADY_ON' } })
  })

  test('cannot be set up without the password, however new the session is', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    const refused = await browser.call('POST', '/users/me/mfa/setup')
    expect(refused).toMatchObject({ status: 403, failure: { code: 'PASSWORD_NEEDED' } })
    const wrong = await browser.call('POST', '/users/me/mfa/setup', { password: 'not it at all' })
    expect(wrong.status).toBe(400)
    const right = await browser.call('POST', '/users/me/mfa/setup', { password: PASSWORD })
    expect(right.body.data).toMatchObject({ uri: expect.stringMatching(/^otpauth:\/\/totp\//) })
  })

  test('sabotaged twin: a thief who is asked for no password locks the owner out', async () => {
    const { email, userId, cookie } = await visit(gateway, 'investor')
    const thief = openBrowser(gateway, { cookie })
    const { deps } = gateway
    const { secret } = await beginTotpSetup(deps, { userId, email, nowMs: deps.clock.now() })
    skipEndingTotpStep(gateway)
    const code = createApp(gateway, secret).getCode()
    expect((await thief.call('POST', '/users/me/mfa/enable', { code })).status).toBe(200)
    const { reply } = await logInUpToSecondFactor(email)
    expect(reply.body.data).toMatchObject({
      mfa: { isEnrolled: true, methods: ['totp', 'recovery'] },
    })
  })

  test('ends other sessions when enabled, and mails both changes', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const elsewhere = await logInNewBrowser(gateway, email)
    const browser = await logInNewBrowser(gateway, email)
    const before = browser.cookies.get('sid')
    const app = await enrolTotp(gateway, browser)
    expect(browser.cookies.get('sid')).not.toBe(before)
    expect((await elsewhere.call('GET', '/users/me')).status).toBe(401)
    const off = { password: PASSWORD, code: app.getCode() }
    expect((await browser.call('POST', '/users/me/mfa/disable', off)).status).toBe(204)
    const kinds = (await readMails(gateway, userId)).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['mfa-on', 'mfa-off']))
    const me = await browser.call('GET', '/users/me')
    expect(me.body.data).toMatchObject({ user: { isMfaEnabled: false } })
  })
})

test('new recovery codes are mailed to the owner and pause withdrawals', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  const app = await enrolTotp(gateway, browser)
  await gateway.db.updateTable('identity.user').set({ credential_hold_until: null }).execute()
  const body = { password: PASSWORD, code: app.getCode() }
  expect((await browser.call('POST', '/users/me/mfa/recovery_codes', body)).status).toBe(200)
  const [newest] = await readMails(gateway, userId)
  expect(newest?.kind).toBe('recovery-codes-renewed')
  const { credential_hold_until } = await gateway.db
    .selectFrom('identity.user')
    .select('credential_hold_until')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  expect(credential_hold_until?.getTime()).toBeGreaterThan(gateway.deps.clock.now())
})

describe('an administrator who must have a second factor', () => {
  test('can call only the set-up, and all calls after the set-up', async () => {
    const { email } = await visit(gateway, 'admin')
    await setSettings(gateway, { security: { twoFactorAuth: true } })
    const browser = openBrowser(gateway)
    const reply = await logIn(browser, email)
    expect(reply.body.data).toEqual({
      mfa: { required: true, isEnrolled: false, methods: ['totp'] },
    })
    for (const path of [
      '/users',
      '/transactions/recent',
      '/paymentOptions',
      '/users/me/sessions',
    ]) {
      const refused = await browser.call('GET', path)
      expect(refused).toMatchObject({ status: 403, failure: { code: 'MFA_ENROLMENT_REQUIRED' } })
    }
    const app = await enrolTotp(gateway, browser)
    expect((await browser.call('GET', '/users')).status).toBe(200)
    const off = { password: PASSWORD, code: app.getCode() }
    const kept = await browser.call('POST', '/users/me/mfa/disable', off)
    expect(kept).toMatchObject({ status: 409, failure: { code: 'MFA_IS_REQUIRED' } })
  })

  test('who has not been seen for long proves the mailbox first', async () => {
    const { email, userId } = await visit(gateway, 'admin')
    await logInNewBrowser(gateway, email)
    await setSettings(gateway, { security: { twoFactorAuth: true, passwordExpiry: 365 } })
    gateway.moveClock(91 * 86_400_000)
    const refused = await logIn(openBrowser(gateway), email)
    expect(refused).toMatchObject({ status: 403, failure: { code: 'PASSWORD_RESET_REQUIRED' } })
    const [mail] = await readMails(gateway, userId)
    const password = 'a quite new passphrase'
    const token = mail?.content.path?.split('token=')[1]
    const body = { token, password, passwordConfirm: password }
    const reset = await openBrowser(gateway).call('POST', '/users/reset_password', body)
    expect(reset.status).toBe(204)
    const reply = await logIn(openBrowser(gateway), email, password)
    expect(reply.body.data).toMatchObject({ mfa: { isEnrolled: false } })
  })

  test('sabotaged twin: without the requirement, the same administrator has access at once', async () => {
    const { email } = await visit(gateway, 'admin')
    await setSettings(gateway, { security: { twoFactorAuth: false } })
    const browser = await logInNewBrowser(gateway, email)
    expect((await browser.call('GET', '/users')).status).toBe(200)
  })
})
