import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import {
  addPasskey,
  beginEnrolment,
  enrolPasskey,
  logInWithPasskey,
  ORIGIN,
  stepUpWithPasskey,
} from '../../../testing/passkey-browser.ts'
import {
  type Browser,
  enrolTotp,
  isSignedIn,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const MINUTE_MS = 60_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

async function listNames(browser: Browser): Promise<readonly string[]> {
  const reply = await browser.call('GET', '/users/me/passkeys')
  const { passkeys } = reply.body.data as unknown as { passkeys: { name: string }[] }
  return passkeys.map(({ name }) => name)
}

describe('a passkey', () => {
  test('is both factors of a login without an email, and a step-up', async () => {
    const { email, passkey, codes } = await enrolPasskey(gateway, 'admin')
    expect(codes).toHaveLength(10)
    const { reply, browser } = await logInWithPasskey(gateway, passkey)
    expect(reply.body.data).toMatchObject({ user: { email, isMfaEnabled: true } })
    // The only problem of the request is the missing body, so the session has a valid step-up.
    expect((await browser.call('POST', '/users/invite')).failure.code).toBe('INVALID')
    const before = await browser.call('GET', '/users/me/passkeys')
    expect(before.body.data).toMatchObject({
      passkeys: [{ name: 'Laptop', isSynced: false, lastUsedAt: expect.any(String) }],
    })
  })

  test('is asked for after the password, which alone opens nothing', async () => {
    const { email, codes } = await enrolPasskey(gateway, 'investor')
    const browser = openBrowser(gateway)
    const reply = await logIn(browser, email)
    expect(reply.body.data).toEqual({
      mfa: { required: true, isEnrolled: true, methods: ['passkey', 'recovery'] },
    })
    expect(await isSignedIn(browser)).toBe(false)
    const code = await browser.call('POST', '/users/login/mfa', { code: '000000' })
    expect(code.failure.code).toBe('MFA_NOT_SET_UP')
    const [recovery] = codes ?? []
    const entered = await browser.call('POST', '/users/login/mfa', { code: recovery })
    expect(entered.status).toBe(200)
  })

  test('has a random handle that is not the id of its user', async () => {
    const { userId, email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    const [first, second] = [await beginEnrolment(browser), await beginEnrolment(browser)]
    expect(first.user.id).toBe(second.user.id)
    expect(Buffer.from(first.user.id, 'base64url')).toHaveLength(32)
    expect(Buffer.from(first.user.id, 'base64url').toString('latin1')).not.toContain(userId)
    expect(first.challenge).not.toBe(second.challenge)
    expect(first.authenticatorSelection).toEqual({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    })
  })

  test('is added beside an app and beside another passkey, each after a recent use', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    const app = await enrolTotp(gateway, browser)
    const first = createAuthenticator(ORIGIN)
    const added = await addPasskey(browser, first)
    expect(added.body.data).toMatchObject({ recoveryCodes: null })
    gateway.moveClock(6 * MINUTE_MS)
    const beginCeremony = () =>
      browser.call('POST', '/users/me/passkeys/options', { password: PASSWORD })
    expect((await beginCeremony()).failure.code).toBe('STEP_UP_REQUIRED')
    expect((await stepUpWithPasskey(browser, first)).status).toBe(204)
    expect((await addPasskey(browser, createAuthenticator(ORIGIN))).status).toBe(201)
    expect(await listNames(browser)).toEqual(['Laptop', 'Laptop'])
    const reply = await logIn(openBrowser(gateway), email)
    expect(reply.body.data).toMatchObject({
      mfa: { methods: ['passkey', 'totp', 'recovery'] },
    })
    const off = { password: PASSWORD, code: app.getCode() }
    expect((await browser.call('POST', '/users/me/mfa/disable', off)).status).toBe(204)
    // After the app is removed, the passkeys remain as second factors.
    const later = await logIn(openBrowser(gateway), email)
    expect(later.body.data).toMatchObject({ mfa: { methods: ['passkey', 'recovery'] } })
  })

  test('needs the password of an account without a factor, however new the session is', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    const beginCeremony = (body: object) => browser.call('POST', '/users/me/passkeys/options', body)
    expect((await beginCeremony({})).failure.code).toBe('PASSWORD_NEEDED')
    expect((await beginCeremony({ password: 'not it at all' })).status).toBe(400)
    expect((await beginCeremony({ password: PASSWORD })).status).toBe(200)
  })

  test('ends other sessions, pauses withdrawals and mails when added and when removed', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const elsewhere = await logInNewBrowser(gateway, email)
    const browser = await logInNewBrowser(gateway, email)
    const before = browser.cookies.get('sid')
    const passkey = createAuthenticator(ORIGIN)
    const { body } = await addPasskey(browser, passkey)
    const { id } = (body.data as unknown as { passkey: { id: string } }).passkey
    expect(browser.cookies.get('sid')).not.toBe(before)
    expect(await isSignedIn(elsewhere)).toBe(false)
    const me = await browser.call('GET', '/users/me')
    expect(me.body.data).toMatchObject({ user: { credentialHoldUntil: expect.any(String) } })
    const other = (await logInWithPasskey(gateway, passkey)).browser
    gateway.moveClock(6 * MINUTE_MS)
    const removePasskey = () => browser.call('DELETE', `/users/me/passkeys/${id}`)
    expect((await removePasskey()).failure.code).toBe('STEP_UP_REQUIRED')
    await stepUpWithPasskey(browser, passkey)
    expect((await removePasskey()).status).toBe(204)
    expect((await removePasskey()).status).toBe(404)
    expect(await isSignedIn(other)).toBe(false)
    const mails = await readMails(gateway, userId)
    expect(mails.filter(({ kind }) => kind.startsWith('passkey'))).toEqual([
      { kind: 'passkey-removed', content: { passkey: 'Laptop' } },
      { kind: 'passkey-added', content: { passkey: 'Laptop' } },
    ])
    // The account has no second factor now, so the password is enough.
    const reply = await logIn(openBrowser(gateway), email)
    expect(reply.body.data).toMatchObject({ user: { isMfaEnabled: false } })
    expect((await logInWithPasskey(gateway, passkey)).reply.failure.code).toBe('PASSKEY_REFUSED')
  })

  test('renews the recovery codes of an account without an app', async () => {
    const { browser, passkey, codes } = await enrolPasskey(gateway, 'investor')
    const renewCodes = () =>
      browser.call('POST', '/users/me/mfa/recovery_codes', { password: PASSWORD })
    gateway.moveClock(6 * MINUTE_MS)
    const setUp = await browser.call('POST', '/users/me/mfa/setup', { password: PASSWORD })
    expect(setUp.failure.code).toBe('STEP_UP_REQUIRED')
    expect((await renewCodes()).failure.code).toBe('STEP_UP_REQUIRED')
    await stepUpWithPasskey(browser, passkey)
    const { recoveryCodes } = (await renewCodes()).body.data as unknown as {
      recoveryCodes: string[]
    }
    expect(recoveryCodes).toHaveLength(10)
    expect(recoveryCodes).not.toContain(codes?.[0])
  })

  test('is renamed by its owner and by no other', async () => {
    const { browser, passkeyId } = await enrolPasskey(gateway, 'investor')
    const { browser: stranger } = await enrolPasskey(gateway, 'investor')
    const path = `/users/me/passkeys/${passkeyId}`
    expect((await browser.call('PATCH', path, { name: 'Phone' })).status).toBe(200)
    expect((await stranger.call('PATCH', path, { name: 'Mine' })).status).toBe(404)
    expect((await stranger.call('DELETE', path)).status).toBe(404)
    expect(await listNames(browser)).toEqual(['Phone'])
  })

  test('is limited to ten per user', async () => {
    const { browser } = await enrolPasskey(gateway, 'investor')
    for (let added = 1; added < 10; added += 1) {
      expect((await addPasskey(browser, createAuthenticator(ORIGIN))).status).toBe(201)
    }
    const reply = await browser.call('POST', '/users/me/passkeys/options')
    expect(reply).toMatchObject({ status: 409, failure: { code: 'PASSKEY_LIMIT' } })
  })

  test('opens no account that may not log in', async () => {
    const { passkey, userId } = await enrolPasskey(gateway, 'investor')
    const logInWith = async (row: object) => {
      await gateway.db.updateTable('identity.user').set(row).where('id', '=', userId).execute()
      return (await logInWithPasskey(gateway, passkey)).reply.failure.code
    }
    expect(await logInWith({ status: 'deactivated' })).toBe('ACCOUNT_DEACTIVATED')
    expect(await logInWith({ status: 'denied' })).toBe('ACCOUNT_DENIED')
    const reset = { status: 'active', is_reset_required: true }
    expect(await logInWith(reset)).toBe('PASSWORD_RESET_REQUIRED')
    await setSettings(gateway, { general: { maintenanceMode: true } })
    expect(await logInWith({ is_reset_required: false })).toBe('MAINTENANCE')
    await setSettings(gateway, {})
    expect(await logInWith({ status: 'active' })).toBeUndefined()
  })
})

test('an IP address as PUBLIC_URL has no passkeys, and the answer says why', async () => {
  const numbered = await startTestGateway({
    alterDeps: (deps) => ({ ...deps, publicUrl: 'http://127.0.0.1:8080' }),
  })
  try {
    const { email, userId } = await visit(numbered, 'investor')
    const browser = await logInNewBrowser(numbered, email)
    const impossible = { status: 409, failure: { code: 'PASSKEYS_IMPOSSIBLE' } }
    const beginCeremony = (path: string, body = {}) => browser.call('POST', path, body)
    expect(await beginCeremony('/users/me/passkeys/options', { password: PASSWORD })).toMatchObject(
      impossible,
    )
    expect(await beginCeremony('/users/login/passkey/options')).toMatchObject(impossible)
    expect((await beginCeremony('/users/me/passkeys/step_up/options')).failure.code).toBe(
      'NO_PASSKEY',
    )
    // Inserts the passkey directly. A site at an IP address has passkeys only if it had a domain
    // name when they were added.
    await numbered.db
      .insertInto('identity.passkey')
      .values({
        id: '0123456789abcdefghjk',
        user_id: userId,
        credential_id: Buffer.from('credential'),
        public_key: Buffer.from('key'),
        sign_count: '0',
        transports: [],
        name: 'Laptop',
        is_synced: false,
        created_at: new Date(),
      })
      .execute()
    expect(await beginCeremony('/users/me/passkeys/step_up/options')).toMatchObject(impossible)
  } finally {
    await numbered.stop()
  }
})
