import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator, type Deviation } from '../../../testing/authenticator.ts'
import {
  addPasskey,
  beginEnrolment,
  beginLogin,
  enrolPasskey,
  logInWithPasskey,
  ORIGIN,
  stepUpWithPasskey,
} from '../../../testing/passkey-browser.ts'
import { isSignedIn, logInNewBrowser, openBrowser, visit } from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

const REFUSED = { status: 400, failure: { code: 'PASSKEY_REFUSED' } }
const EXPIRED = { status: 400, failure: { code: 'PASSKEY_EXPIRED' } }

const FORGERIES: readonly (readonly [string, Deviation])[] = [
  ['made for another origin', { origin: 'https://gateway.evil.test' }],
  ['made for another site', { rpId: 'evil.test' }],
  ['of another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['whose user was not verified', { isUserVerified: false }],
]
const FORGED_LOGINS: readonly (readonly [string, Deviation])[] = [
  ...FORGERIES,
  ['signed by another key', { key: createKey() }],
  ['with the handle of another user', { userHandle: Buffer.alloc(32).toString('base64url') }],
]

function createKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

describe('an answer of an authenticator', () => {
  test.each(FORGERIES)('to an enrolment, %s, is refused', async (_what, deviation) => {
    const browser = await logInNewBrowser(gateway, (await visit(gateway, 'investor')).email)
    expect(await addPasskey(browser, createAuthenticator(ORIGIN), deviation)).toMatchObject(REFUSED)
    const mine = await browser.call('GET', '/users/me/passkeys')
    expect(mine.body.data).toEqual({ passkeys: [] })
    // Sabotaged twin: if the answer is not forged, the gateway accepts the answer.
    expect((await addPasskey(browser, createAuthenticator(ORIGIN))).status).toBe(201)
  })

  test.each(FORGED_LOGINS)('to a login, %s, is refused', async (_what, deviation) => {
    const { passkey } = await enrolPasskey(gateway, 'investor')
    const forged = await logInWithPasskey(gateway, passkey, deviation)
    expect(forged.reply).toMatchObject(REFUSED)
    expect(await isSignedIn(forged.browser)).toBe(false)
    const honest = await logInWithPasskey(gateway, passkey)
    expect(await isSignedIn(honest.browser)).toBe(true)
  })

  test('with a counter that goes back is refused: the key may have been copied', async () => {
    const { passkey, userId } = await enrolPasskey(gateway, 'investor')
    const logInWithSignCount = async (signCount: number) =>
      (await logInWithPasskey(gateway, passkey, { signCount })).reply
    expect((await logInWithSignCount(7)).status).toBe(200)
    expect(await logInWithSignCount(7)).toMatchObject(REFUSED)
    expect(await logInWithSignCount(6)).toMatchObject(REFUSED)
    expect((await logInWithSignCount(8)).status).toBe(200)
    // Sabotaged twin: if the server lost the counter, the server would accept the copied passkey.
    await gateway.db
      .updateTable('identity.passkey')
      .set({ sign_count: '0' })
      .where('user_id', '=', userId)
      .execute()
    expect((await logInWithSignCount(6)).status).toBe(200)
  })

  test('is accepted once', async () => {
    const { passkey } = await enrolPasskey(gateway, 'investor')
    const { browser, credential } = await logInWithPasskey(gateway, passkey)
    const sendAgain = () => browser.call('POST', '/users/login/passkey', { credential })
    expect(await sendAgain()).toMatchObject(EXPIRED)
    // Sabotaged twin: if the server restores the challenge and the counter, it accepts the repeated
    // answer.
    const thief = openBrowser(gateway)
    const { challenge: _next } = await beginLogin(thief)
    const { challenge } = JSON.parse(
      Buffer.from(credential.response.clientDataJSON, 'base64url').toString(),
    )
    await gateway.db.updateTable('identity.passkey_challenge').set({ challenge }).execute()
    await gateway.db.updateTable('identity.passkey').set({ sign_count: '0' }).execute()
    const stolen = await thief.call('POST', '/users/login/passkey', { credential })
    expect(stolen.status).toBe(200)
  })

  test('twenty times at once opens one session', async () => {
    const { passkey, userId } = await enrolPasskey(gateway, 'investor')
    await gateway.db.deleteFrom('identity.session').where('user_id', '=', userId).execute()
    const browser = openBrowser(gateway)
    const credential = passkey.get(await beginLogin(browser))
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        browser.call('POST', '/users/login/passkey', { credential }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('belongs to the browser that asked, and expires after five minutes', async () => {
    const { passkey } = await enrolPasskey(gateway, 'investor')
    const asking = openBrowser(gateway)
    const credential = passkey.get(await beginLogin(asking))
    const other = openBrowser(gateway)
    await beginLogin(other)
    const elsewhere = await other.call('POST', '/users/login/passkey', { credential })
    expect(elsewhere).toMatchObject(REFUSED)
    const without = openBrowser(gateway)
    expect(await without.call('POST', '/users/login/passkey', { credential })).toMatchObject(
      EXPIRED,
    )
    gateway.moveClock(300_001)
    expect(await asking.call('POST', '/users/login/passkey', { credential })).toMatchObject(EXPIRED)
  })

  test('for one purpose is not accepted for another', async () => {
    const { browser, passkey } = await enrolPasskey(gateway, 'investor')
    const credential = passkey.get(await beginLogin(browser))
    const body = { credential }
    expect(await browser.call('POST', '/users/me/passkeys/step_up', body)).toMatchObject(EXPIRED)
  })

  test('of a challenge for another session adds nothing', async () => {
    const { email } = await visit(gateway, 'investor')
    const first = await logInNewBrowser(gateway, email)
    const second = await logInNewBrowser(gateway, email)
    const credential = createAuthenticator(ORIGIN).create(await beginEnrolment(first))
    const body = { name: 'Laptop', credential }
    expect(await second.call('POST', '/users/me/passkeys', body)).toMatchObject(EXPIRED)
  })

  test('with the passkey of another user is no step-up', async () => {
    const owner = await enrolPasskey(gateway, 'admin')
    const thief = await enrolPasskey(gateway, 'admin')
    expect(await stepUpWithPasskey(owner.browser, thief.passkey)).toMatchObject(REFUSED)
    expect((await stepUpWithPasskey(owner.browser, owner.passkey)).status).toBe(204)
  })

  test('with a credential that is registered already is refused, for any user', async () => {
    const { passkey } = await enrolPasskey(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, (await visit(gateway, 'investor')).email)
    expect(await addPasskey(browser, passkey)).toMatchObject(REFUSED)
  })
})
