import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type App,
  type Browser,
  enrolTotp,
  logInNewBrowser,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { needsStepUp, type Route } from '../../platform/http/registry.ts'

const AN_ID = '0123456789abcdefghjk'
const MINUTE_MS = 60_000

/**
 * Calls by which administrators change data without a step-up. These calls change no money, control
 * or account.
 */
const HARMLESS = [
  'PATCH /admin/messages/:id/answered',
  'POST /users/:id/notes',
  'POST /admin/announcements/preview',
  'POST /admin/cash/:option/statements/preview',
  'POST /admin/templates/:kind/preview',
  'POST /admin/templates/:kind/test',
  'POST /admin/jobs/:queue/retry',
  'POST /admin/ledger/verifications',
  // These calls only end the access of a person.
  'DELETE /users/:id/sessions/:sessionId',
  'POST /users/:id/sessions/revoke',
]

const getRouteName = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

/**
 * Lists the calls by which administrators change data and that need a step-up: all declared calls
 * except `HARMLESS`.
 */
function listCallsWithStepUp(gateway: TestGateway): readonly string[] {
  const writes = gateway.routes.filter(
    ({ endpoint }) => endpoint.access === 'admin' && endpoint.method !== 'GET',
  )
  return writes
    .map(getRouteName)
    .filter((name) => !HARMLESS.includes(name))
    .toSorted()
}

interface Enrolled {
  browser: Browser
  app: App
}

async function enrolAdmin(gateway: TestGateway): Promise<Enrolled> {
  const { email } = await visit(gateway, 'admin')
  const browser = await logInNewBrowser(gateway, email)
  return { browser, app: await enrolTotp(gateway, browser) }
}

/**
 * Calls all endpoints that `listCallsWithStepUp` lists, and returns those that ask for a step-up.
 * The calls have unknown ids and empty bodies, so that no call has an effect.
 */
async function findStepUpWrites(
  gateway: TestGateway,
  browser: Browser,
): Promise<readonly string[]> {
  const asking: string[] = []
  for (const name of listCallsWithStepUp(gateway)) {
    const [method = '', path = ''] = name.split(' ')
    const { status, failure } = await browser.call(method, path.replaceAll(/:\w+/g, AN_ID))
    if (status === 403 && failure.code === 'STEP_UP_REQUIRED') asking.push(name)
  }
  return asking
}

/** Uses the session every four minutes, so that it does not expire. */
async function keepSessionAlive(
  gateway: TestGateway,
  browser: Browser,
  minutes: number,
): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 4) {
    gateway.moveClock(4 * MINUTE_MS)
    expect((await browser.call('GET', '/users/me')).status).toBe(200)
  }
}

/** Calls that need a step-up and that users make for their own account. */
const OWN_ACTS = ['POST /users/me/close']

describe('T36 step-up', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('a factor used more than five minutes ago moves no money and changes no control', async () => {
    const { browser, app } = await enrolAdmin(gateway)
    expect(await findStepUpWrites(gateway, browser)).toEqual([])
    await keepSessionAlive(gateway, browser, 4)
    expect(await findStepUpWrites(gateway, browser)).toEqual([])
    await keepSessionAlive(gateway, browser, 4)
    expect(await findStepUpWrites(gateway, browser)).toEqual(listCallsWithStepUp(gateway))
    // Calls that only read data need no step-up.
    expect((await browser.call('GET', '/transactions')).status).toBe(200)
    const wrong = await browser.call('POST', '/users/me/step_up', { code: app.getCode(50) })
    expect(wrong).toMatchObject({ status: 400, failure: { code: 'MFA_CODE_WRONG' } })
    expect(await findStepUpWrites(gateway, browser)).toEqual(listCallsWithStepUp(gateway))
    const code = app.getCode()
    expect((await browser.call('POST', '/users/me/step_up', { code })).status).toBe(204)
    expect(await findStepUpWrites(gateway, browser)).toEqual([])
    const again = await browser.call('POST', '/users/me/step_up', { code })
    expect(again.failure.code).toBe('MFA_CODE_WRONG')
  })

  test('every write of administrators needs a step-up or is in the list of harmless writes', () => {
    const asked = gateway.routes.filter(needsStepUp).map(getRouteName)
    expect(asked.toSorted()).toEqual([...listCallsWithStepUp(gateway), ...OWN_ACTS].toSorted())
    expect(gateway.routes.map(getRouteName)).toEqual(expect.arrayContaining(HARMLESS))
    const ofMoney = gateway.routes.filter(
      ({ endpoint, options }) => endpoint.access === 'admin' && options.rate === 'money',
    )
    expect(asked).toEqual(expect.arrayContaining(ofMoney.map(getRouteName)))
  })

  test('counts only for the session in which the factor was used', async () => {
    const { browser, app } = await enrolAdmin(gateway)
    const me = await browser.call('GET', '/users/me')
    const { email } = (me.body.data as unknown as { user: { email: string } }).user
    const other = await logInNewBrowser(gateway, email)
    gateway.moveClock(MINUTE_MS)
    const entered = await other.call('POST', '/users/login/mfa', { code: app.getCode() })
    expect(entered.status).toBe(200)
    await keepSessionAlive(gateway, browser, 4)
    await keepSessionAlive(gateway, other, 4)
    const shown = await browser.call('POST', '/users/me/step_up', { code: app.getCode() })
    expect(shown.status).toBe(204)
    expect(await findStepUpWrites(gateway, browser)).toEqual([])
    expect(await findStepUpWrites(gateway, other)).toEqual(listCallsWithStepUp(gateway))
  })

  test('the interval of investors does not apply; without a second factor none is asked', async () => {
    const { browser } = await enrolAdmin(gateway)
    const plain = await logInNewBrowser(gateway, (await visit(gateway, 'admin')).email)
    await setSettings(gateway, { security: { stepUpMinutes: 480 } })
    await keepSessionAlive(gateway, browser, 8)
    expect(await findStepUpWrites(gateway, browser)).toEqual(listCallsWithStepUp(gateway))
    expect(await findStepUpWrites(gateway, plain)).toEqual([])
    await setSettings(gateway, {})
  })

  test('a new password does not count as a use of the factor', async () => {
    const { browser } = await enrolAdmin(gateway)
    await keepSessionAlive(gateway, browser, 8)
    const newPassword = 'another battery horse'
    const change = { currentPassword: PASSWORD, newPassword, passwordConfirm: newPassword }
    expect((await browser.call('PATCH', '/users/me/password', change)).status).toBe(200)
    expect(await findStepUpWrites(gateway, browser)).toEqual(listCallsWithStepUp(gateway))
  })
})

describe('T36 step-up: its sabotaged twin, whose calls ask for no code', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    const removeStepUp = (route: Route): Route => ({
      ...route,
      options: { ...route.options, needsFreshFactor: false },
    })
    gateway = await startTestGateway({ alterRoute: removeStepUp })
  })
  afterAll(() => gateway?.stop())

  test('is caught', async () => {
    const { browser } = await enrolAdmin(gateway)
    await keepSessionAlive(gateway, browser, 8)
    expect(await findStepUpWrites(gateway, browser)).toEqual([])
  })
})
