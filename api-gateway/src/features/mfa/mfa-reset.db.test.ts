import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrolPasskey, logInWithPasskey } from '../../../testing/passkey-browser.ts'
import {
  type Browser,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  visit,
} from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { replaceReferencesByTexts } from '../../platform/erasure/private-text.ts'

const MINUTE_MS = 60_000
const proof = 'Called back on the number we know; named the last two deposits.'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

async function addPerson(role: 'admin' | 'investor') {
  const { email, userId } = await visit(gateway, role)
  return { email, userId, browser: await logInNewBrowser(gateway, email) }
}

function resetMfa(admin: Browser, userId: string, body: object = { proof }) {
  return admin.call('POST', `/users/${userId}/reset_mfa`, body)
}

describe('a second factor that was lost', () => {
  test('is removed with a recorded proof; withdrawals pause and its owner is mailed', async () => {
    const { browser: admin } = await addPerson('admin')
    const { email, userId, browser } = await addPerson('investor')
    await enrolTotp(gateway, browser)
    expect((await resetMfa(admin, userId, { proof: ' ' })).status).toBe(400)
    expect((await resetMfa(admin, userId)).status).toBe(204)
    expect((await browser.call('GET', '/users/me')).status).toBe(401)
    // After the reset, the login needs only the password.
    const back = await logIn(openBrowser(gateway), email)
    expect(back.body.data).toMatchObject({ user: { isMfaEnabled: false } })
    const mails = await readMails(gateway, userId)
    expect(mails.map(({ kind }) => kind)).toContain('mfa-off')
    const { credential_hold_until } = await gateway.db
      .selectFrom('identity.user')
      .select('credential_hold_until')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(credential_hold_until?.getTime()).toBeGreaterThan(gateway.deps.clock.now())
    const trail = await gateway.db
      .selectFrom('platform.audit')
      .select('details')
      .where('action', '=', 'user.reset-mfa')
      .where('result', '=', 'success')
      .where('subject', '=', userId)
      .executeTakeFirstOrThrow()
    expect(await replaceReferencesByTexts(gateway.db, trail.details)).toMatchObject({ proof })
    expect(await resetMfa(admin, userId)).toMatchObject({
      status: 409,
      failure: { code: 'MFA_NOT_ON' },
    })
  })

  test('is refused for the own account and for an unknown user', async () => {
    const { browser: admin, userId } = await addPerson('admin')
    await enrolTotp(gateway, admin)
    expect(await resetMfa(admin, userId)).toMatchObject({
      status: 409,
      failure: { code: 'MFA_OWN' },
    })
    expect((await resetMfa(admin, '0123456789abcdefghjk')).status).toBe(404)
  })

  test('is removed with the passkeys, which then open nothing', async () => {
    const { browser: admin } = await addPerson('admin')
    const { email, userId, passkey } = await enrolPasskey(gateway, 'investor')
    expect((await resetMfa(admin, userId)).status).toBe(204)
    expect((await logInWithPasskey(gateway, passkey)).reply.failure.code).toBe('PASSKEY_REFUSED')
    expect((await logIn(openBrowser(gateway), email)).body.data).toHaveProperty('user')
  })

  test('is removed only by an administrator who has recently used a second factor', async () => {
    const { browser: admin } = await addPerson('admin')
    const { userId, browser } = await addPerson('investor')
    await enrolTotp(gateway, browser)
    const app = await enrolTotp(gateway, admin)
    gateway.moveClock(6 * MINUTE_MS)
    expect((await resetMfa(admin, userId)).failure.code).toBe('STEP_UP_REQUIRED')
    expect((await admin.call('POST', '/users/me/step_up', { code: app.getCode() })).status).toBe(
      204,
    )
    expect((await resetMfa(admin, userId)).status).toBe(204)
  })
})
