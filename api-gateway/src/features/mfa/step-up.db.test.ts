import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type App,
  arrive,
  type Browser,
  enrol,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import type { Route } from '../../platform/http/registry.ts'

const AN_ID = '0123456789abcdefghjk'
const MINUTE_MS = 60_000

/**
 * Administrators' money acts. The ids are unknown, so a request that passes the guard is refused.
 */
const MONEY_ACTS = [
  ['PATCH', `/transactions/${AN_ID}/action/approve`],
  ['PATCH', `/transactions/${AN_ID}/action/decline`],
  ['PATCH', `/users/${AN_ID}/wallets`],
  ['POST', '/admin/adjustments'],
  ['POST', '/admin/reserve'],
  ['POST', '/admin/reserve/withdraw'],
  ['POST', '/admin/reserve/sweep'],
  ['PATCH', `/investments/${AN_ID}/status`],
  // Acts that move no money but protect it.
  ['POST', `/admin/approvals/${AN_ID}/approve`],
  ['POST', `/admin/approvals/${AN_ID}/reject`],
  ['POST', `/users/${AN_ID}/reset_mfa`],
  ['POST', '/users/invite'],
  ['POST', '/paymentOptions'],
  ['PATCH', `/paymentOptions/${AN_ID}`],
  ['DELETE', `/paymentOptions/${AN_ID}`],
] as const

interface Enrolled {
  browser: Browser
  app: App
}

async function enrolledAdmin(gateway: TestGateway): Promise<Enrolled> {
  const { email } = await visit(gateway, 'admin')
  const browser = await arrive(gateway, email)
  return { browser, app: await enrol(gateway, browser) }
}

/** The acts that require a step-up. */
async function findGuarded(browser: Browser): Promise<readonly string[]> {
  const guarded: string[] = []
  for (const [method, path] of MONEY_ACTS) {
    const { status, failure } = await browser.call(method, path)
    if (status === 403 && failure.code === 'STEP_UP_REQUIRED') guarded.push(`${method} ${path}`)
  }
  return guarded
}

/** Uses the session regularly, so that it does not expire. */
async function work(gateway: TestGateway, browser: Browser, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 4) {
    gateway.moveClock(4 * MINUTE_MS)
    expect((await browser.call('GET', '/users/me')).status).toBe(200)
  }
}

/** Acts of users on their own account. */
const OWN_ACTS = ['POST /users/me/close']
const EVERY_ACT = MONEY_ACTS.map(([method, path]) => `${method} ${path}`)

describe('T36 step-up', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('a factor that was shown a quarter of an hour ago moves no money, until it is shown again', async () => {
    const { browser, app } = await enrolledAdmin(gateway)
    expect(await findGuarded(browser)).toEqual([])
    await work(gateway, browser, 12)
    expect(await findGuarded(browser)).toEqual([])
    await work(gateway, browser, 4)
    expect(await findGuarded(browser)).toEqual(EVERY_ACT)
    // Calls that move no money stay available.
    expect((await browser.call('GET', '/transactions')).status).toBe(200)
    const wrong = await browser.call('POST', '/users/me/step_up', { code: app.code(50) })
    expect(wrong).toMatchObject({ status: 400, failure: { code: 'MFA_CODE_WRONG' } })
    expect(await findGuarded(browser)).toEqual(EVERY_ACT)
    const code = app.code()
    expect((await browser.call('POST', '/users/me/step_up', { code })).status).toBe(204)
    expect(await findGuarded(browser)).toEqual([])
    const again = await browser.call('POST', '/users/me/step_up', { code })
    expect(again.failure.code).toBe('MFA_CODE_WRONG')
  })

  test('is asked for by all of these acts and no other, and by whatever is counted as money', () => {
    const asked = gateway.routes.filter(({ options }) => options.needsFreshFactor)
    const nameOf = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`
    expect(asked.map(nameOf).toSorted()).toEqual(
      [...EVERY_ACT.map((act) => act.replace(AN_ID, ':id')), ...OWN_ACTS].toSorted(),
    )
    const ofMoney = gateway.routes.filter(
      ({ endpoint, options }) => endpoint.access === 'admin' && options.rate === 'money',
    )
    expect(asked).toEqual(expect.arrayContaining(ofMoney))
  })

  test('counts for the session in which it was shown, and for no other', async () => {
    const { browser, app } = await enrolledAdmin(gateway)
    const me = await browser.call('GET', '/users/me')
    const { email } = (me.body.data as unknown as { user: { email: string } }).user
    const other = await arrive(gateway, email)
    gateway.moveClock(MINUTE_MS)
    const entered = await other.call('POST', '/users/login/mfa', { code: app.code() })
    expect(entered.status).toBe(200)
    for (let passed = 0; passed < 16; passed += 4) {
      await work(gateway, browser, 4)
      await other.call('GET', '/users/me')
    }
    const shown = await browser.call('POST', '/users/me/step_up', { code: app.code() })
    expect(shown.status).toBe(204)
    expect(await findGuarded(browser)).toEqual([])
    expect(await findGuarded(other)).toEqual(EVERY_ACT)
  })

  test('the settings say how long; who has no second factor is not asked', async () => {
    const { browser } = await enrolledAdmin(gateway)
    const plain = await arrive(gateway, (await visit(gateway, 'admin')).email)
    await setSettings(gateway, { security: { stepUpMinutes: 1 } })
    await work(gateway, browser, 4)
    expect(await findGuarded(browser)).toEqual(EVERY_ACT)
    expect(await findGuarded(plain)).toEqual([])
    await setSettings(gateway, {})
  })
})

describe('T36 step-up: its sabotaged twin, whose calls ask for no code', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    const unguarded = (route: Route): Route => {
      const { needsFreshFactor: _guard, ...options } = route.options
      return { ...route, options }
    }
    gateway = await startTestGateway({ alterRoute: unguarded })
  })
  afterAll(() => gateway?.stop())

  test('is caught', async () => {
    const { browser } = await enrolledAdmin(gateway)
    await work(gateway, browser, 16)
    expect(await findGuarded(browser)).toEqual([])
  })
})
