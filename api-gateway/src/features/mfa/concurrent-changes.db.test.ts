import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import { addPasskey, ORIGIN } from '../../../testing/passkey-browser.ts'
import { runDuring } from '../../../testing/run-during.ts'
import {
  type Browser,
  createApp,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  setSettings,
  skipEndingTotpStep,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { createFactorSeal } from '../../platform/keys/seal.ts'
import { lockUser } from '../users/index.ts'
import { activateTotp, clearMfaStateIfNoFactor, removeSecondFactors } from './mfa.ts'
import { countCodeAttempt } from './mfa-tries.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(() => setSettings(gateway, {}))
afterAll(() => gateway?.stop())

test('a set-up in flight does not replace the secret of an app that was switched on', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  const setUp = () => browser.call('POST', '/users/me/mfa/setup', { password: PASSWORD })
  const { secret } = (await setUp()).body.data as unknown as { secret: string }
  const switchOn = async (trx: DatabaseTransaction) => {
    const { sealed } = await trx
      .selectFrom('identity.totp')
      .select('sealed')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    await activateTotp(trx, { userId, sealed, nowMs: gateway.deps.clock.now() })
  }
  const reply = await runDuring(gateway, switchOn, setUp)
  expect(reply).toMatchObject({ status: 409, failure: { code: 'MFA_ALREADY_ON' } })
  const later = openBrowser(gateway)
  await logIn(later, email)
  skipEndingTotpStep(gateway)
  const code = createApp(gateway, secret).getCode()
  expect((await later.call('POST', '/users/login/mfa', { code })).status).toBe(200)
})

test('of the app and the last passkey, one remains if both are removed at the same time', async () => {
  const { email, userId } = await visit(gateway, 'admin')
  const browser = await logInNewBrowser(gateway, email)
  await addPasskey(browser, createAuthenticator(ORIGIN))
  const app = await enrolTotp(gateway, browser)
  await setSettings(gateway, { security: { twoFactorAuth: true } })
  const removePasskeys = async (trx: DatabaseTransaction) => {
    await lockUser(trx, userId)
    await trx.deleteFrom('identity.passkey').where('user_id', '=', userId).execute()
  }
  const body = { password: PASSWORD, code: app.getCode() }
  const reply = await runDuring(gateway, removePasskeys, () =>
    browser.call('POST', '/users/me/mfa/disable', body),
  )
  expect(reply).toMatchObject({ status: 409, failure: { code: 'MFA_IS_REQUIRED' } })
  expect(await readFactors(browser)).toMatchObject({ isEnabled: true, hasFactor: true })
})

test('recovery codes are not renewed for an account that has just lost its last factor', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  await addPasskey(browser, createAuthenticator(ORIGIN))
  const removePasskey = async (trx: DatabaseTransaction) => {
    await lockUser(trx, userId)
    await trx.deleteFrom('identity.passkey').where('user_id', '=', userId).execute()
    await clearMfaStateIfNoFactor(trx, userId)
  }
  const reply = await runDuring(gateway, removePasskey, () =>
    browser.call('POST', '/users/me/mfa/recovery_codes', { password: PASSWORD }),
  )
  expect(reply).toMatchObject({ status: 409, failure: { code: 'MFA_NOT_SET_UP' } })
  expect(await readFactors(browser)).toMatchObject({ hasFactor: false, recoveryCodesLeft: 0 })
})

/** Opens a set-up. Returns the call that switches the app of this set-up on. */
async function openSetUp(browser: Browser) {
  const setUp = await browser.call('POST', '/users/me/mfa/setup', { password: PASSWORD })
  const { secret } = setUp.body.data as unknown as { secret: string }
  skipEndingTotpStep(gateway)
  const code = createApp(gateway, secret).getCode()
  return () => browser.call('POST', '/users/me/mfa/enable', { code })
}

/** Stores another secret for the app, as a set-up in another tab does. */
async function replaceSecret(trx: DatabaseTransaction, userId: string): Promise<Buffer> {
  const factor = { userId, secret: 'ab'.repeat(20) }
  const sealed = createFactorSeal(gateway.deps.factorKeys).seal(factor)
  const row = trx.updateTable('identity.totp').where('user_id', '=', userId)
  await row.set({ sealed, last_step: 0 }).execute()
  return sealed
}

test('the code of one secret does not switch on another secret that has replaced it', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  const switchOn = await openSetUp(browser)
  const nowMs = gateway.deps.clock.now()
  let other: Buffer = Buffer.alloc(0)
  const replaceDuringCheck = async (trx: DatabaseTransaction) => {
    // The call reads the secret, and then waits for this count.
    await countCodeAttempt(trx, { userId, method: 'totp', nowMs })
    other = await replaceSecret(trx, userId)
  }
  const reply = await runDuring(gateway, replaceDuringCheck, switchOn)
  expect(reply).toMatchObject({ status: 409, failure: { code: 'MFA_NOT_SET_UP' } })
  const none = { isEnabled: false, hasFactor: false, recoveryCodesLeft: 0 }
  expect(await readFactors(browser)).toMatchObject(none)
  // Sabotaged twin: if the stored secret is taken for the verified one, it becomes the factor.
  const change = { userId, sealed: other, nowMs }
  await gateway.db.transaction().execute((trx) => activateTotp(trx, change))
  expect(await readFactors(browser)).toMatchObject({ isEnabled: true, hasFactor: true })
})

test('an app that was removed after its code was verified is not switched on', async () => {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  await openSetUp(browser)
  const nowMs = gateway.deps.clock.now()
  const row = gateway.db.selectFrom('identity.totp').select('sealed')
  const { sealed } = await row.where('user_id', '=', userId).executeTakeFirstOrThrow()
  await gateway.db.transaction().execute((trx) => removeSecondFactors(trx, userId))
  const activation = gateway.db
    .transaction()
    .execute((trx) => activateTotp(trx, { userId, sealed, nowMs }))
  await expect(activation).rejects.toMatchObject({ code: 'MFA_NOT_SET_UP' })
  expect(await readFactors(browser)).toMatchObject({ hasFactor: false, recoveryCodesLeft: 0 })
})

async function readFactors(browser: Browser): Promise<unknown> {
  const reply = await browser.call('GET', '/users/me/mfa')
  return (reply.body.data as unknown as { mfa: unknown }).mfa
}
