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
import { lockUser } from '../users/index.ts'
import { activateTotp, clearMfaStateIfNoFactor } from './mfa.ts'

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
    await activateTotp(trx, { userId, nowMs: gateway.deps.clock.now() })
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

async function readFactors(browser: Browser): Promise<unknown> {
  const reply = await browser.call('GET', '/users/me/mfa')
  return (reply.body.data as unknown as { mfa: unknown }).mfa
}
