import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { issueLink } from '../passwords/link-tokens.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(() => setSettings(gateway, {}))
afterAll(() => gateway?.stop())

type Change = { status: 'deactivated' | 'denied' } | { is_reset_required: boolean }

async function updateUser(userId: string, row: Change): Promise<void> {
  await gateway.db.updateTable('identity.user').set(row).where('id', '=', userId).execute()
}

/** Opens a login in which only the second factor is missing. */
async function logInUpToSecondFactor(who: 'investor' | 'admin') {
  const { email, userId } = await visit(gateway, who)
  const app = await enrolTotp(gateway, await logInNewBrowser(gateway, email))
  const browser = openBrowser(gateway)
  expect((await logIn(browser, email)).status).toBe(200)
  const enterCode = () => browser.call('POST', '/users/login/mfa', { code: app.getCode() })
  return { userId, enterCode }
}

const DEACTIVATED = [403, 'ACCOUNT_DEACTIVATED', 'Your account is deactivated'] as const
const DENIED = [403, 'ACCOUNT_DENIED', 'Your account was not approved'] as const
const RESET = 'An administrator asked you to set a new password. We have sent you a link.'
const CLOSED = [
  [{ status: 'deactivated' }, ...DEACTIVATED],
  [{ status: 'denied' }, ...DENIED],
  [{ is_reset_required: true }, 403, 'PASSWORD_RESET_REQUIRED', RESET],
] as const

test.each(CLOSED)(
  'a correct password opens no session for an account that is %o',
  async (row, status, code, message) => {
    const { email, userId } = await visit(gateway, 'investor')
    await updateUser(userId, row)
    const reply = await logIn(openBrowser(gateway), email)
    expect({ ...reply.failure, status: reply.status }).toMatchObject({ status, code, message })
  },
)

test.each(CLOSED)(
  'a second factor opens no session if the account became closed after the password: %o',
  async (row, ...said) => {
    const { userId, enterCode } = await logInUpToSecondFactor('investor')
    await updateUser(userId, row)
    const [status, code, message] = said
    const reply = await enterCode()
    expect({ ...reply.failure, status: reply.status }).toMatchObject({ status, code, message })
    // Sabotaged twin: if the account is active again, the refused request succeeds.
    await gateway.db
      .updateTable('identity.user')
      .set({ status: 'active', is_reset_required: false })
      .where('id', '=', userId)
      .execute()
    expect((await enterCode()).status).toBe(200)
  },
)

test('a second factor opens no session if maintenance began or the address was blocked in between', async () => {
  const investor = await logInUpToSecondFactor('investor')
  const admin = await logInUpToSecondFactor('admin')
  await setSettings(gateway, { general: { maintenanceMode: true } })
  expect(await investor.enterCode()).toMatchObject({
    status: 503,
    failure: { code: 'MAINTENANCE' },
  })
  await setSettings(gateway, { security: { ipWhitelist: ['203.0.113.7'] } })
  const refused = { status: 403, failure: { code: 'ADDRESS_NOT_ALLOWED' } }
  expect(await admin.enterCode()).toMatchObject(refused)
})

test('a link does not set the password of an account that is closed', async () => {
  const { userId } = await visit(gateway, 'investor')
  const link = { purpose: 'reset', userId, nowMs: gateway.deps.clock.now() } as const
  const { token } = await issueLink(gateway.db, link)
  const form = { token, password: PASSWORD, passwordConfirm: PASSWORD }
  const requestReset = () => openBrowser(gateway).call('POST', '/users/reset_password', form)
  await updateUser(userId, { status: 'deactivated' })
  expect(await requestReset()).toMatchObject({ status: 403, failure: { code: 'ACCOUNT_CLOSED' } })
  await gateway.db.updateTable('identity.user').set({ status: 'active' }).execute()
  expect((await requestReset()).status).toBe(204)
})
