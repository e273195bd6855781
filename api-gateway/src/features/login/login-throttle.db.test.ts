import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Browser,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const NEW_PASSWORD = 'a quite new passphrase'
const SPRAYED = Number(process.env.TORTURE_SPRAYED_ACCOUNTS ?? 100)

/** Sends wrong passwords concurrently. Returns the number of passwords that were checked. */
async function countCheckedLogins(
  gateway: TestGateway,
  emails: readonly string[],
): Promise<number> {
  const browser = openBrowser(gateway)
  const guess = (email: string) => logIn(browser, email, 'wrong password')
  // Of a thousand connections at once, the kernel can reset one. Its guess is repeated.
  const replies = await Promise.all(emails.map((email) => guess(email).catch(() => guess(email))))
  expect(replies.every(({ status }) => status === 401 || status === 429)).toBe(true)
  return replies.filter(({ status }) => status === 401).length
}

describe('T27 guessing passwords', () => {
  let gateway: TestGateway
  // The clock moves only when a test moves it, so that no delay ends early on a slow machine.
  let nowMs = Date.now()
  const moveClock = (ms: number) => {
    nowMs += ms
  }
  beforeAll(async () => {
    const clock = { now: () => nowMs }
    // This scale changes only the limits that this gateway counts alone. The limit that all
    // gateways share has a fixed scale in tests.
    gateway = await startTestGateway({
      alterDeps: (deps) => ({ ...deps, rateLimitScale: 4, clock }),
    })
  })
  afterAll(() => gateway.stop())

  test('of 200 concurrent wrong passwords, only the permitted number is checked', async () => {
    await setSettings(gateway, { security: { loginAttempts: 3 } })
    const { email, userId } = await visit(gateway, 'investor')
    expect(
      await countCheckedLogins(
        gateway,
        Array.from({ length: 200 }, () => email),
      ),
    ).toBe(3)
    const delayed = await logIn(openBrowser(gateway), email)
    expect(delayed).toMatchObject({ status: 429, failure: { code: 'LOGIN_DELAYED' } })
    await expect.poll(async () => (await readMails(gateway, userId))[0]?.kind).toBe('lockout')
    moveClock(1_000)
    expect((await logIn(openBrowser(gateway), email)).status).toBe(200)
    await setSettings(gateway, {})
  })

  test('each further failure doubles the delay, up to a quarter of an hour', async () => {
    const { email } = await visit(gateway, 'investor')
    const delays: (number | undefined)[] = []
    for (let failure = 1; failure <= 18; failure += 1) {
      await logIn(openBrowser(gateway), email, 'wrong password')
      const { failure: delayed } = await logIn(openBrowser(gateway), email)
      delays.push(delayed?.retryAfter)
      moveClock((delayed?.retryAfter ?? 0) * 1_000)
      if (failure < 5) await restoreFailures(gateway, email, failure)
    }
    expect(delays.slice(4)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })

  test('a hundred failures in a row lock logins from unknown browsers until a reset by mail', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const owner = await logInNewBrowser(gateway, email)
    await logIn(openBrowser(gateway), email, 'wrong password')
    await setFailures(gateway, 99)
    moveClock(901_000)
    expect((await logIn(openBrowser(gateway), email, 'wrong password')).status).toBe(401)
    moveClock(86_400_000 * 30)
    const locked = await logIn(openBrowser(gateway), email)
    expect(locked).toMatchObject({ status: 429, failure: { code: 'LOGIN_LOCKED' } })
    // A browser in which the user has logged in before is not delayed.
    expect((await logIn(owner, email)).status).toBe(200)
    await resetPasswordByMail(gateway, { email, userId, password: NEW_PASSWORD })
    expect((await logIn(openBrowser(gateway), email, NEW_PASSWORD)).status).toBe(200)
  })

  test('a reset by mail also unlocks the browser and the password checks of the owner', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const owner = await logInNewBrowser(gateway, email)
    const confirmPassword = (browser: Browser, password: string) =>
      browser.call('POST', '/users/me/mfa/setup', { password })
    await gateway.db.deleteFrom('identity.login_attempt').execute()
    await confirmPassword(owner, 'wrong password')
    await logIn(owner, email, 'wrong password')
    await setFailures(gateway, 99)
    moveClock(901_000)
    await confirmPassword(owner, 'wrong password')
    await logIn(owner, email, 'wrong password')
    expect((await confirmPassword(owner, PASSWORD)).failure.code).toBe('LOGIN_LOCKED')
    // The failures of the owner's browser also count for unknown browsers from now on.
    await logIn(owner, email, 'wrong password')
    await setFailures(gateway, 99)
    moveClock(901_000)
    await logIn(owner, email, 'wrong password')
    expect((await logIn(owner, email)).failure.code).toBe('LOGIN_LOCKED')
    await resetPasswordByMail(gateway, { email, userId, password: NEW_PASSWORD })
    expect((await logIn(owner, email, NEW_PASSWORD)).status).toBe(200)
    expect((await confirmPassword(owner, NEW_PASSWORD)).status).toBe(200)
    // The browser has its own counter again.
    await lockUnknownBrowsers(gateway, email)
    expect((await logIn(owner, email, NEW_PASSWORD)).status).toBe(200)
  })

  test('one address that tries many accounts is stopped', async ({ task }) => {
    await gateway.db.deleteFrom('identity.login_attempt').execute()
    await setSettings(gateway, { security: { loginAttempts: 1 } })
    moveClock(900_000)
    const emails = Array.from({ length: SPRAYED }, (_, index) => `spray${index}@example.com`)
    const judged = await countCheckedLogins(gateway, emails)
    // At most 40 passwords are checked: 1 permitted failure, times 10 (the factor for a client
    // address), times 4 (the scale of this gateway).
    expect(judged).toBeLessThanOrEqual(40)
    Object.assign(task.meta, { figure: `${judged} of ${SPRAYED} accounts looked at` })
    const others = Array.from({ length: 60 }, (_, index) => `more${index}@example.com`)
    expect(await countCheckedLogins(gateway, others)).toBe(0)
    await setSettings(gateway, {})
  })
})

/** Sets a new password with a mailed link, in a browser that is not known. */
async function resetPasswordByMail(
  gateway: TestGateway,
  { email, userId, password }: { email: string; userId: string; password: string },
): Promise<void> {
  const stranger = openBrowser(gateway)
  await stranger.call('POST', '/users/forgot_password', { email })
  const readPath = async () => (await readMails(gateway, userId))[0]?.content.path ?? ''
  await expect.poll(readPath).toContain('token=')
  const token = (await readPath()).split('token=')[1]
  const body = { token, password, passwordConfirm: password }
  expect((await stranger.call('POST', '/users/reset_password', body)).status).toBe(204)
}

async function lockUnknownBrowsers(gateway: TestGateway, email: string): Promise<void> {
  await logIn(openBrowser(gateway), email, 'wrong password')
  const next_at = new Date(gateway.deps.clock.now() + 86_400_000)
  await gateway.db.updateTable('identity.login_attempt').set({ next_at }).execute()
}

/** Restores the number of failures, because a correct password has reset it. */
async function restoreFailures(
  gateway: TestGateway,
  email: string,
  failures: number,
): Promise<void> {
  await logIn(openBrowser(gateway), email, 'wrong password')
  await setFailures(gateway, failures)
}

async function setFailures(gateway: TestGateway, failures: number): Promise<void> {
  await gateway.db.updateTable('identity.login_attempt').set({ failures }).execute()
}

describe('its sabotaged twin, which allows any number of failures', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, { security: { loginAttempts: 100_000 } })
  })
  afterAll(() => gateway.stop())

  test('checks all forty passwords', async () => {
    const { email } = await visit(gateway, 'investor')
    expect(
      await countCheckedLogins(
        gateway,
        Array.from({ length: 40 }, () => email),
      ),
    ).toBe(40)
  })
})
