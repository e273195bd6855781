import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolPasskey, logInWithPasskey } from '../../../testing/passkey-browser.ts'
import {
  type Browser,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  skipEndingTotpStep,
  visit,
} from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

import { removeSecondFactors } from './mfa.ts'

const DAY_MS = 86_400_000
const WINDOW_MS = 301_000
/** A text in the format of a recovery code. No user has this code. */
const WRONG_RECOVERY = '0000-0000-0000-0000'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

async function enrolInvestor() {
  // Moves the clock to the start of a day, so that all attempts of a test are on one day.
  gateway.moveClock(DAY_MS - (gateway.deps.clock.now() % DAY_MS))
  const person = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, person.email)
  return { ...person, app: await enrolTotp(gateway, browser) }
}

/**
 * Enters a correct password in a new browser. The returned function enters a code of the second
 * factor.
 */
async function logInUpToSecondFactor(
  email: string,
): Promise<(code: string) => ReturnType<Browser['call']>> {
  const browser = openBrowser(gateway)
  await logIn(browser, email)
  return (code) => browser.call('POST', '/users/login/mfa', { code })
}

/**
 * Enters the code five times in each of two logins, with a pause between the logins. Returns the
 * failure codes of the answers.
 */
async function enterCodeTenTimes(email: string, code: string): Promise<readonly string[]> {
  const answers: string[] = []
  for (let window = 0; window < 2; window += 1) {
    const enterCode = await logInUpToSecondFactor(email)
    for (let tried = 0; tried < 5; tried += 1) answers.push((await enterCode(code)).failure.code)
    gateway.moveClock(WINDOW_MS)
  }
  return answers
}

async function countPauseMails(userId: string): Promise<number> {
  const mails = await readMails(gateway, userId)
  return mails.filter(({ kind }) => kind === 'mfa-paused').length
}

test('ten wrong codes pause the app for the day; its owner is mailed, recovery codes work', async () => {
  const { email, userId, app } = await enrolInvestor()
  expect(new Set(await enterCodeTenTimes(email, app.getCode(50)))).toEqual(
    new Set(['MFA_CODE_WRONG']),
  )
  skipEndingTotpStep(gateway)
  const paused = await (await logInUpToSecondFactor(email))(app.getCode())
  expect(paused).toMatchObject({ status: 429, failure: { code: 'MFA_PAUSED' } })
  expect(paused.failure.retryAfter).toBeGreaterThan(3_600)
  expect(await countPauseMails(userId)).toBe(1)
  const [mail] = await readMails(gateway, userId)
  expect(mail?.content).toMatchObject({ method: 'Codes from your app' })
  const [recovery = ''] = app.recoveryCodes
  expect((await (await logInUpToSecondFactor(email))(recovery)).status).toBe(200)
  gateway.moveClock(DAY_MS)
  skipEndingTotpStep(gateway)
  expect((await (await logInUpToSecondFactor(email))(app.getCode())).status).toBe(200)
})

test('a correct code does not reset the count of the day', async () => {
  const { email, app } = await enrolInvestor()
  const enterCode = await logInUpToSecondFactor(email)
  for (let tried = 0; tried < 4; tried += 1) await enterCode(app.getCode(50))
  gateway.moveClock(WINDOW_MS)
  skipEndingTotpStep(gateway)
  expect((await (await logInUpToSecondFactor(email))(app.getCode())).status).toBe(200)
  const again = await logInUpToSecondFactor(email)
  for (let tried = 0; tried < 5; tried += 1) await again(app.getCode(50))
  gateway.moveClock(WINDOW_MS)
  const last = await logInUpToSecondFactor(email)
  expect((await last(app.getCode(50))).failure.code).toBe('MFA_CODE_WRONG')
  expect((await last(app.getCode())).failure.code).toBe('MFA_PAUSED')
})

test('wrong codes of removed factors do not pause factors that are added later', async () => {
  const { email, userId, app } = await enrolInvestor()
  await enterCodeTenTimes(email, app.getCode(50))
  await gateway.db.transaction().execute((trx) => removeSecondFactors(trx, userId))
  const fresh = await enrolTotp(gateway, await logInNewBrowser(gateway, email))
  skipEndingTotpStep(gateway)
  expect((await (await logInUpToSecondFactor(email))(fresh.getCode(1))).status).toBe(200)
})

test('recovery codes have a limit of their own', async () => {
  const { email, userId, app } = await enrolInvestor()
  await enterCodeTenTimes(email, WRONG_RECOVERY)
  const [recovery = ''] = app.recoveryCodes
  expect((await (await logInUpToSecondFactor(email))(recovery)).failure.code).toBe('MFA_PAUSED')
  expect(await countPauseMails(userId)).toBe(1)
  skipEndingTotpStep(gateway)
  expect((await (await logInUpToSecondFactor(email))(app.getCode())).status).toBe(200)
})

test('a passkey works while the codes are paused', async () => {
  gateway.moveClock(DAY_MS - (gateway.deps.clock.now() % DAY_MS))
  const { email, passkey } = await enrolPasskey(gateway, 'investor')
  await enterCodeTenTimes(email, WRONG_RECOVERY)
  expect((await logInWithPasskey(gateway, passkey)).reply.status).toBe(200)
})

test('of one hundred concurrent guesses, at most ten are checked', async () => {
  const { email, userId, app } = await enrolInvestor()
  const enterCode = await logInUpToSecondFactor(email)
  await Promise.all(Array.from({ length: 50 }, () => enterCode(app.getCode(50))))
  gateway.moveClock(WINDOW_MS)
  const later = await logInUpToSecondFactor(email)
  await Promise.all(Array.from({ length: 50 }, () => later(app.getCode(50))))
  expect(await countPauseMails(userId)).toBe(1)
  const row = await gateway.db
    .selectFrom('identity.mfa_tries')
    .select('day_failures')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  expect(row.day_failures).toBe(10)
})

test('sabotaged twin: without the count of the day, guessing continues', async () => {
  const { email, app } = await enrolInvestor()
  await enterCodeTenTimes(email, app.getCode(50))
  await gateway.db.updateTable('identity.mfa_tries').set({ day_failures: 0 }).execute()
  expect((await (await logInUpToSecondFactor(email))(app.getCode(50))).failure.code).toBe(
    'MFA_CODE_WRONG',
  )
})
