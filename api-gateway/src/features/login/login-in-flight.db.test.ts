import argon2 from 'argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import { addPasskey, beginLogin, ORIGIN } from '../../../testing/passkey-browser.ts'
import { runDuring } from '../../../testing/run-during.ts'
import {
  enrolTotp,
  isSignedIn,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { setPassword } from '../passwords/password-change.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { getUserRow } from '../users/index.ts'

const NEW_PASSWORD = 'another battery horse'
const OLD_HASH = { type: argon2.argon2id, memoryCost: 8_192, timeCost: 2, parallelism: 1 } as const

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

/** Returns a change that sets a new password, as the owner does with a mailed link. */
async function prepareNewPassword(userId: string) {
  const user = await getUserRow(gateway.db, userId)
  const passwordHash = await hashPassword(NEW_PASSWORD)
  gateway.moveClock(1_000)
  const nowMs = gateway.deps.clock.now()
  return (trx: DatabaseTransaction) =>
    setPassword(trx, gateway.deps, { user, passwordHash, nowMs, keptSession: null })
}

async function countVisits(userId: string): Promise<number> {
  const sessions = await gateway.db
    .selectFrom('identity.session')
    .select('user_id')
    .where('user_id', '=', userId)
    .execute()
  const challenges = await gateway.db
    .selectFrom('identity.login_challenge')
    .select('user_id')
    .where('user_id', '=', userId)
    .execute()
  return sessions.length + challenges.length
}

describe('a login in flight', () => {
  test('is refused after a change of the password, and does not restore the old hash', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    // The login replaces this hash, because its cost is too low.
    const password_hash = await argon2.hash(PASSWORD, OLD_HASH)
    await gateway.db
      .updateTable('identity.user')
      .set({ password_hash })
      .where('id', '=', userId)
      .execute()
    const change = await prepareNewPassword(userId)
    const reply = await runDuring(gateway, change, () => logIn(openBrowser(gateway), email))
    expect(reply).toMatchObject({ status: 401, failure: { code: 'WRONG_CREDENTIALS' } })
    expect(await countVisits(userId)).toBe(0)
    expect((await logIn(openBrowser(gateway), email)).status).toBe(401)
    expect((await logIn(openBrowser(gateway), email, NEW_PASSWORD)).status).toBe(200)
  })

  test('gets no code after another sign-up has replaced the password', async () => {
    const { email, userId } = await visit(gateway, 'pending')
    await gateway.db
      .updateTable('identity.user')
      .set({ email_verified_at: null })
      .where('id', '=', userId)
      .execute()
    const passwordHash = await hashPassword(NEW_PASSWORD)
    gateway.moveClock(1_000)
    const signUp = async (trx: DatabaseTransaction) => {
      const now = new Date(gateway.deps.clock.now())
      await trx
        .updateTable('identity.user')
        .set({ password_hash: passwordHash, password_changed_at: now })
        .where('id', '=', userId)
        .execute()
    }
    const reply = await runDuring(gateway, signUp, () => logIn(openBrowser(gateway), email))
    expect(reply).toMatchObject({ status: 401, failure: { code: 'WRONG_CREDENTIALS' } })
    expect(await readMails(gateway, userId)).toEqual([])
  })

  test('opens no session after a change of the password', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const change = await prepareNewPassword(userId)
    const reply = await runDuring(gateway, change, () => logIn(openBrowser(gateway), email))
    expect(reply).toMatchObject({ status: 401, failure: { code: 'WRONG_CREDENTIALS' } })
    expect(await countVisits(userId)).toBe(0)
  })

  test('opens no session after an administrator has forced a reset', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const forceReset = async (trx: DatabaseTransaction) => {
      await trx
        .updateTable('identity.user')
        .set({ is_reset_required: true })
        .where('id', '=', userId)
        .execute()
      await closeSessionsOf(trx, userId)
    }
    const reply = await runDuring(gateway, forceReset, () => logIn(openBrowser(gateway), email))
    expect(reply).toMatchObject({ status: 401, failure: { code: 'WRONG_CREDENTIALS' } })
    expect(await countVisits(userId)).toBe(0)
  })

  test('does not reach the second factor after a change of the password', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    await enrolTotp(gateway, await logInNewBrowser(gateway, email))
    const change = await prepareNewPassword(userId)
    const reply = await runDuring(gateway, change, () => logIn(openBrowser(gateway), email))
    expect(reply).toMatchObject({ status: 401, failure: { code: 'WRONG_CREDENTIALS' } })
    expect(await countVisits(userId)).toBe(0)
  })

  test('with a passkey is refused after a change of the password', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const passkey = createAuthenticator(ORIGIN)
    await addPasskey(await logInNewBrowser(gateway, email), passkey)
    const browser = openBrowser(gateway)
    const credential = passkey.get(await beginLogin(browser))
    const change = await prepareNewPassword(userId)
    const reply = await runDuring(gateway, change, () =>
      browser.call('POST', '/users/login/passkey', { credential }),
    )
    expect(reply).toMatchObject({ status: 400, failure: { code: 'PASSKEY_REFUSED' } })
    expect(await countVisits(userId)).toBe(0)
  })
})

test('a change of the address in flight is refused after a change of the password', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  const form = { name: 'Ada', email: `new-${userId}@example.com`, phone: '+1 555 0199' }
  await browser.call('PUT', '/users/update-profile', form)
  const [mail] = await readMails(gateway, userId)
  const body = { code: mail?.content.code, password: PASSWORD }
  const change = await prepareNewPassword(userId)
  const reply = await runDuring(gateway, change, () =>
    browser.call('POST', '/users/me/email/confirm', body),
  )
  expect(reply).toMatchObject({ status: 401, failure: { code: 'NOT_SIGNED_IN' } })
  expect((await logIn(openBrowser(gateway), email, NEW_PASSWORD)).status).toBe(200)
})

test('a change of the password in flight does not replace the password of a reset', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  const change = await prepareNewPassword(userId)
  const thirdPassword = 'a third battery horse'
  const body = {
    currentPassword: PASSWORD,
    newPassword: thirdPassword,
    passwordConfirm: thirdPassword,
  }
  const reply = await runDuring(gateway, change, () =>
    browser.call('PATCH', '/users/me/password', body),
  )
  expect(reply).toMatchObject({ status: 401, failure: { code: 'NOT_SIGNED_IN' } })
  expect(await isSignedIn(browser)).toBe(false)
  expect((await logIn(openBrowser(gateway), email, NEW_PASSWORD)).status).toBe(200)
})
