import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Browser,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { issueLink } from './link-tokens.ts'
import { hashPassword } from './passwords.ts'

const DAY_MS = 86_400_000
/**
 * This number of calls is larger than the number of passwords that can be hashed or can wait at one
 * time.
 */
const HASHES = 80
const NEW = { newPassword: 'another battery horse', passwordConfirm: 'another battery horse' }

/** The calls that require the current password, each with a function that creates its body. */
const PASSWORD_CALLS = [
  ['PATCH', '/users/me/password', (password: string) => ({ currentPassword: password, ...NEW })],
  ['POST', '/users/me/email/confirm', (password: string) => ({ password, code: '000000' })],
  ['POST', '/users/me/close', (password: string) => ({ password })],
  ['POST', '/users/me/mfa/setup', (password: string) => ({ password })],
  ['POST', '/users/me/passkeys/options', (password: string) => ({ password })],
  ['POST', '/users/me/mfa/disable', (password: string) => ({ password, code: '000000' })],
  ['POST', '/users/me/mfa/recovery_codes', (password: string) => ({ password, code: '000000' })],
] as const
/** The calls that require a code of the second factor. */
const FACTOR_CALLS = [
  ['/users/me/mfa/enable', { code: '000000' }],
  ['/users/me/mfa/disable', { password: PASSWORD, code: '000000' }],
  ['/users/me/mfa/recovery_codes', { password: PASSWORD, code: '000000' }],
  ['/users/me/step_up', { code: '000000' }],
] as const

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

async function addPerson(): Promise<Browser & { userId: string }> {
  const { email, userId } = await visit(gateway, 'investor')
  return { ...(await logInNewBrowser(gateway, email)), userId }
}

/** Delays the next attempt of all accounts with failed attempts by `ms` milliseconds. */
async function setDelays(ms: number): Promise<void> {
  const next_at = new Date(gateway.deps.clock.now() + ms)
  await gateway.db.updateTable('identity.login_attempt').set({ next_at }).execute()
}

const deleteFailures = () => gateway.db.deleteFrom('identity.login_attempt').execute()

/** Sends a request while as many passwords as possible are being hashed. */
async function callWhileSlotsAreBusy<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let isAnswered = false
  async function hashPasswordsUntilAnswered(): Promise<void> {
    while (!isAnswered) await hashPassword('a hash')
  }
  // Some of these calls fail at once because too many calls wait. All other calls keep the hashing
  // busy.
  const all = Promise.allSettled(Array.from({ length: HASHES }, hashPasswordsUntilAnswered))
  const answer = await ask().finally(() => {
    isAnswered = true
  })
  await all
  return answer
}

describe('a password that is asked for again', () => {
  test.each(PASSWORD_CALLS)('by %s %s waits after failures, like a login', async (...call) => {
    const [method, path, bodyWith] = call
    const browser = await addPerson()
    await deleteFailures()
    const sendCall = (password: string) => browser.call(method, path, bodyWith(password))
    expect((await sendCall('not the one')).failure.code).toBe('INVALID')
    await setDelays(60_000)
    const { status, failure } = await sendCall(PASSWORD)
    expect({ status, code: failure.code }).toEqual({ status: 429, code: 'LOGIN_DELAYED' })
    expect(failure.message).toMatch(
      /^Too many failed logins\. Please wait ([1-5]?\d|60) seconds\.$/,
    )
    await setDelays(DAY_MS)
    expect(await sendCall(PASSWORD)).toMatchObject({
      status: 429,
      failure: { code: 'LOGIN_LOCKED' },
    })
    await deleteFailures()
    const busy = await callWhileSlotsAreBusy(() => sendCall(PASSWORD))
    expect(busy).toMatchObject({ status: 429, failure: { code: 'BUSY', retryAfter: 2 } })
  })

  test('does not count while too many hashes are being computed', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await addPerson()
    await deleteFailures()
    for (let tried = 0; tried < 3; tried += 1) {
      const login = await callWhileSlotsAreBusy(() => logIn(openBrowser(gateway), email, PASSWORD))
      const asked = await callWhileSlotsAreBusy(() =>
        browser.call('POST', '/users/me/mfa/setup', { password: PASSWORD }),
      )
      expect([login.failure.code, asked.failure.code]).toEqual(['BUSY', 'BUSY'])
    }
    const counters = await gateway.db
      .selectFrom('identity.login_attempt')
      .select('failures')
      .execute()
    // The counters are those of the account, of its address and of the user who is logged in.
    expect(counters).toEqual([{ failures: 1 }, { failures: 1 }, { failures: 1 }])
  })

  test('is not computed while too many hashes are being computed', async () => {
    const { userId } = await addPerson()
    const link = { purpose: 'reset', userId, nowMs: gateway.deps.clock.now() } as const
    const { token } = await issueLink(gateway.db, link)
    const passwords = { password: PASSWORD, passwordConfirm: PASSWORD }
    const form = { name: 'Ada', gender: 'Female', phone: '+44 20 7946 0100', country: 'GB' }
    const signUp = { ...form, email: 'ada@example.com', firstAddress: '1 Street', ...passwords }
    const visitor = openBrowser(gateway)
    const [made, reset] = await callWhileSlotsAreBusy(() =>
      Promise.all([
        visitor.call('POST', '/users/signup', signUp),
        visitor.call('POST', '/users/reset_password', { token, ...passwords }),
      ]),
    )
    expect(made.failure.code).toBe('BUSY')
    expect(reset.failure.code).toBe('BUSY')
    // The failed attempt did not mark the link as used, so the link is still valid.
    const again = await visitor.call('POST', '/users/reset_password', { token, ...passwords })
    expect(again.status).toBe(204)
  })
})

describe('a code that is asked for again', () => {
  test.each(FACTOR_CALLS)('by POST %s has five tries', async (path, body) => {
    const browser = await addPerson()
    const sendCall = () => browser.call('POST', path, body)
    expect((await sendCall()).failure.code).toBe('MFA_NOT_SET_UP')
    const proof = { password: PASSWORD }
    if (path.endsWith('enable')) await browser.call('POST', '/users/me/mfa/setup', proof)
    else await enrolTotp(gateway, browser)
    for (let tried = 0; tried < 5; tried += 1) {
      expect((await sendCall()).failure.code).toBe('MFA_CODE_WRONG')
    }
    expect(await sendCall()).toMatchObject({ status: 429, failure: { code: 'MFA_DELAYED' } })
    // Sabotaged twin: if the count of wrong codes is set to zero, the gateway checks the next code.
    await gateway.db.updateTable('identity.mfa_tries').set({ tries: 0 }).execute()
    expect((await sendCall()).failure.code).toBe('MFA_CODE_WRONG')
    await gateway.db.updateTable('identity.mfa_tries').set({ tries: 0, day_failures: 10 }).execute()
    expect(await sendCall()).toMatchObject({ status: 429, failure: { code: 'MFA_PAUSED' } })
  })

  test('by POST /users/me/mfa/enable is refused if the factor is already on', async () => {
    const browser = await addPerson()
    await enrolTotp(gateway, browser)
    const reply = await browser.call('POST', '/users/me/mfa/enable', { code: '000000' })
    expect(reply).toMatchObject({ status: 409, failure: { code: 'MFA_ALREADY_ON' } })
  })
})

test('logins are counted separately from the calls of logged-in users', async () => {
  const { email } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  await deleteFailures()
  await logIn(openBrowser(gateway), email, 'not the one')
  await setDelays(DAY_MS)
  const body = { password: PASSWORD }
  expect((await browser.call('POST', '/users/me/mfa/setup', body)).status).toBe(200)
})
