import { afterEach, expect, test } from 'vitest'
import {
  type App,
  type Browser,
  enrolTotp,
  logInNewBrowser,
  visit,
} from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import type { Dependencies } from '../../platform/dependencies.ts'

const MINUTE_MS = 60_000
/** The bank account does not exist, so a request that passes the step-up check has no effect. */
const FORM = {
  type: 'withdrawal',
  amount: 50,
  pay_option: 'balance',
  bank_id: '0123456789abcdefghjk',
}

let gateway: TestGateway
afterEach(() => gateway.stop())

async function enrolInvestor(
  alter?: (deps: Dependencies) => Dependencies,
): Promise<[Browser, App]> {
  gateway = await startTestGateway(alter === undefined ? {} : { alterDeps: alter })
  const { email } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  const app = await enrolTotp(gateway, browser)
  // The enrolment has started a credential hold.
  await gateway.db.updateTable('identity.user').set({ credential_hold_until: null }).execute()
  return [browser, app]
}

async function requestWithdrawal(browser: Browser): Promise<string> {
  const { status, failure } = await browser.call('POST', '/users/me/transactions', FORM)
  return `${status} ${failure.code}`
}

/** Uses the session every four minutes, so that it does not expire. */
async function keepSessionAlive(browser: Browser, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 4) {
    gateway.moveClock(4 * MINUTE_MS)
    expect((await browser.call('GET', '/users/me')).status).toBe(200)
  }
}

test('a session withdraws only after a recent step-up', async () => {
  const [browser, app] = await enrolInvestor()
  expect(await requestWithdrawal(browser)).toBe('404 NOT_FOUND')
  await keepSessionAlive(browser, 16)
  expect(await requestWithdrawal(browser)).toBe('403 STEP_UP_REQUIRED')
  // A deposit needs no step-up.
  const deposit = { type: 'deposit', amount: 50, pay_option: 'Bank Transfer' }
  const asked = await browser.call('POST', '/users/me/transactions', deposit)
  expect(asked.failure.message).toBe('Please provide receipt')
  expect((await browser.call('POST', '/users/me/step_up', { code: app.getCode() })).status).toBe(
    204,
  )
  expect(await requestWithdrawal(browser)).toBe('404 NOT_FOUND')
})

test('a user without a second factor needs no step-up', async () => {
  gateway = await startTestGateway()
  const browser = await logInNewBrowser(gateway, (await visit(gateway, 'investor')).email)
  await keepSessionAlive(browser, 16)
  expect(await requestWithdrawal(browser)).toBe('404 NOT_FOUND')
})

test('sabotaged twin: if a step-up never expires, an open session can withdraw', async () => {
  const [browser] = await enrolInvestor((deps) => ({
    ...deps,
    settings: {
      ...deps.settings,
      read: async () => {
        const site = await deps.settings.read()
        return { ...site, security: { ...site.security, stepUpMinutes: 1_000_000 } }
      },
    },
  }))
  await keepSessionAlive(browser, 16)
  expect(await requestWithdrawal(browser)).toBe('404 NOT_FOUND')
})
