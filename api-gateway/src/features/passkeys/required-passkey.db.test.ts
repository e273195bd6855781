import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import {
  addPasskey,
  enrolPasskey,
  logInWithPasskey,
  ORIGIN,
  stepUpWithPasskey,
} from '../../../testing/passkey-browser.ts'
import {
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
beforeEach(() => setSettings(gateway, {}))
afterAll(() => gateway?.stop())

const setPasskeyRequired = () => setSettings(gateway, { security: { adminPasskey: true } })

/** Returns an administrator with an app and a passkey, signed in with the passkey. */
async function enrolAppAndPasskey() {
  const enrolled = await enrolPasskey(gateway, 'admin')
  const app = await enrolTotp(gateway, enrolled.browser)
  return { ...enrolled, app }
}

describe('a site that requires a passkey of administrators', () => {
  test('accepts no code instead of it, at the login or as a step-up', async () => {
    const { email, app, browser, passkey } = await enrolAppAndPasskey()
    const old = await logInWithCode(email, app.getCode(1))
    await setPasskeyRequired()
    const entering = openBrowser(gateway)
    await logIn(entering, email)
    const [recovery] = app.recoveryCodes
    const proved = await entering.call('POST', '/users/login/mfa', { code: recovery })
    expect(proved).toMatchObject({ status: 401, failure: { code: 'PASSKEY_REQUIRED' } })
    const read = await old.call('GET', '/users')
    expect(read).toMatchObject({ status: 401, failure: { code: 'PASSKEY_REQUIRED' } })
    const step = await old.call('POST', '/users/me/step_up', { code: recovery })
    expect(step).toMatchObject({ status: 403, failure: { code: 'PASSKEY_NEEDED' } })
    const adding = await old.call('POST', '/users/me/passkeys/options')
    expect(adding).toMatchObject({ status: 403, failure: { code: 'STEP_UP_REQUIRED' } })
    expect((await browser.call('GET', '/users')).status).toBe(200)
    expect((await logInWithPasskey(gateway, passkey)).reply.status).toBe(200)
  })

  test('a step-up uses the passkey', async () => {
    const { browser, passkey } = await enrolAppAndPasskey()
    await setPasskeyRequired()
    gateway.moveClock(360_000)
    const sendInvitation = () => browser.call('POST', '/users/invite')
    expect((await sendInvitation()).failure.code).toBe('STEP_UP_REQUIRED')
    await stepUpWithPasskey(browser, passkey)
    expect((await sendInvitation()).failure.code).toBe('INVALID')
  })

  test('removes no app with a code alone', async () => {
    const { app, browser } = await enrolAppAndPasskey()
    await setPasskeyRequired()
    gateway.moveClock(360_000)
    const proof = { password: PASSWORD, code: app.getCode() }
    const refused = await browser.call('POST', '/users/me/mfa/disable', proof)
    expect(refused).toMatchObject({ status: 403, failure: { code: 'STEP_UP_REQUIRED' } })
    // Sabotaged twin: if no passkey is required, the password and code that were refused above
    // remove the app.
    await setSettings(gateway, { security: { adminPasskey: false } })
    gateway.moveClock(60_000)
    const again = { password: PASSWORD, code: app.getCode() }
    expect((await browser.call('POST', '/users/me/mfa/disable', again)).status).toBe(204)
  })

  test('lets an administrator without a passkey only add one', async () => {
    const { email } = await visit(gateway, 'admin')
    const first = await logInNewBrowser(gateway, email)
    const app = await enrolTotp(gateway, first)
    await setPasskeyRequired()
    const browser = openBrowser(gateway)
    await logIn(browser, email)
    const proved = await browser.call('POST', '/users/login/mfa', { code: app.getCode(1) })
    expect(proved.body.data).toEqual({
      mfa: { required: true, isEnrolled: false, methods: ['passkey'] },
    })
    const refused = await browser.call('GET', '/users')
    expect(refused).toMatchObject({ status: 403, failure: { code: 'PASSKEY_ENROLMENT_REQUIRED' } })
    expect((await addPasskey(browser, createAuthenticator(ORIGIN))).status).toBe(201)
    expect((await browser.call('GET', '/users')).status).toBe(200)
  })

  test('asks a dormant administrator without a factor to confirm the mailbox', async () => {
    const { email, userId } = await visit(gateway, 'admin')
    const old = new Date(gateway.deps.clock.now() - 91 * 86_400_000)
    await gateway.db
      .updateTable('identity.user')
      .set({ last_login_at: old, password_changed_at: old })
      .where('id', '=', userId)
      .execute()
    const browser = openBrowser(gateway)
    const sendLogin = () => logIn(browser, email)
    // Sabotaged twin: if no second factor is required, the old password opens a session.
    await setSettings(gateway, { security: { adminPasskey: true, twoFactorAuth: false } })
    const refused = await sendLogin()
    expect(refused).toMatchObject({ status: 403, failure: { code: 'PASSWORD_RESET_REQUIRED' } })
    await setSettings(gateway, { security: { adminPasskey: false, twoFactorAuth: false } })
    expect((await sendLogin()).status).toBe(200)
  })

  test('lets no administrator in from an address that is not allowed', async () => {
    const { passkey } = await enrolAppAndPasskey()
    await setSettings(gateway, { security: { ipWhitelist: ['203.0.113.7'] } })
    const { reply } = await logInWithPasskey(gateway, passkey)
    expect(reply).toMatchObject({ status: 403, failure: { code: 'ADDRESS_NOT_ALLOWED' } })
  })

  test('keeps the last passkey of an administrator', async () => {
    const { browser, passkeyId } = await enrolAppAndPasskey()
    const removePasskey = () => browser.call('DELETE', `/users/me/passkeys/${passkeyId}`)
    await setPasskeyRequired()
    expect(await removePasskey()).toMatchObject({
      status: 409,
      failure: { code: 'PASSKEY_NEEDED' },
    })
    await setSettings(gateway, { security: { twoFactorAuth: true } })
    expect((await removePasskey()).status).toBe(204)
  })

  test('sabotaged twin: while it is not required, the same code opens the session', async () => {
    const { email, app } = await enrolAppAndPasskey()
    const browser = await logInWithCode(email, app.getCode(1))
    expect((await browser.call('GET', '/users')).status).toBe(200)
  })

  async function logInWithCode(email: string, code: string) {
    const browser = openBrowser(gateway)
    await logIn(browser, email)
    const reply = await browser.call('POST', '/users/login/mfa', { code })
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
    return browser
  }
})

describe('the setting that requires it', () => {
  test('is switched on only by an administrator who logged in with a passkey', async () => {
    const plain = await logInNewBrowser(gateway, (await visit(gateway, 'admin')).email)
    const readSettings = async () => {
      const reply = await plain.call('GET', '/admin/settings')
      return (reply.body.data as unknown as { settings: { security: object } }).settings
    }
    const { version: _version, ...stored } = (await readSettings()) as { version?: number } & {
      security: object
    }
    const wanted = { ...stored, security: { ...stored.security, adminPasskey: true } }
    const refused = await plain.call('POST', '/admin/settings', { ...wanted, confirm: true })
    expect(refused).toMatchObject({ status: 409, failure: { code: 'PASSKEY_NOT_USED' } })
    const { browser } = await enrolPasskey(gateway, 'admin')
    expect((await browser.call('POST', '/admin/settings', wanted)).status).toBe(200)
    expect((await browser.call('GET', '/users')).status).toBe(200)
    expect((await plain.call('GET', '/users')).failure.code).toBe('PASSKEY_ENROLMENT_REQUIRED')
  })
})
