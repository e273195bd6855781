import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, logInNewBrowser, visit } from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

describe('the idle time of a session', () => {
  const MINUTE_MS = 60_000
  type Life = { idleSecondsLeft: number; secondsLeft: number }
  async function readRemainingTimes(browser: Browser, method = 'GET'): Promise<Life> {
    const reply = await browser.call(method, '/users/me/session')
    return (reply.body.data as unknown as { session: Life }).session
  }
  async function logInNewUser() {
    const { email, userId } = await visit(gateway, 'investor')
    return { userId, browser: await logInNewBrowser(gateway, email) }
  }

  test('is reported with the absolute limit, and the query does not extend it', async () => {
    const { browser } = await logInNewUser()
    const before = await readRemainingTimes(browser)
    expect(before.idleSecondsLeft).toBeGreaterThan(29 * 60)
    expect(before.secondsLeft).toBeGreaterThan(11 * 3_600)
    gateway.moveClock(20 * MINUTE_MS)
    expect((await readRemainingTimes(browser)).idleSecondsLeft).toBeLessThanOrEqual(10 * 60)
    gateway.moveClock(9 * MINUTE_MS)
    expect((await readRemainingTimes(browser)).idleSecondsLeft).toBeLessThanOrEqual(60)
    gateway.moveClock(MINUTE_MS)
    expect((await browser.call('GET', '/users/me/session')).status).toBe(401)
  })

  test('restarts when the user confirms presence, also in the other tab', async () => {
    const { browser } = await logInNewUser()
    gateway.moveClock(28 * MINUTE_MS)
    const kept = await readRemainingTimes(browser, 'POST')
    expect(kept.idleSecondsLeft).toBe(30 * 60)
    expect(kept.secondsLeft).toBeLessThan(12 * 3_600 - 28 * 60 + 1)
    expect((await readRemainingTimes(browser)).idleSecondsLeft).toBeGreaterThan(29 * 60)
  })

  test('never exceeds the absolute limit', async () => {
    const { browser, userId } = await logInNewUser()
    const soon = new Date(gateway.deps.clock.now() + 5 * MINUTE_MS)
    const mine = gateway.db.updateTable('identity.session').where('user_id', '=', userId)
    await mine.set({ expires_at: soon }).execute()
    const { idleSecondsLeft, secondsLeft } = await readRemainingTimes(browser, 'POST')
    expect(idleSecondsLeft).toBe(secondsLeft)
    expect(secondsLeft).toBeLessThanOrEqual(300)
  })

  test.each([
    ['a read in the background', '/users/me', { 'X-Background': 'true' }],
    ['the stream of events', '/events', undefined],
  ])('is not made longer by %s', async (_what, path, headers) => {
    const { browser } = await logInNewUser()
    gateway.moveClock(20 * MINUTE_MS)
    const reply = await browser.call('GET', path, undefined, headers)
    expect(reply.status).toBe(200)
    expect((await readRemainingTimes(browser)).idleSecondsLeft).toBeLessThanOrEqual(10 * 60)
  })

  test('sabotaged twin: without its header the read in the background keeps a session open', async () => {
    const { browser } = await logInNewUser()
    gateway.moveClock(20 * MINUTE_MS)
    await browser.call('GET', '/users/me')
    expect((await readRemainingTimes(browser)).idleSecondsLeft).toBeGreaterThan(29 * 60)
  })
})
