import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDuring } from '../../../testing/run-during.ts'
import { type Browser, openBrowser, readMails, setSettings } from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { lockUser } from '../users/index.ts'
import { closeCodes } from './email-codes.ts'

const createForm = (email: string) => ({
  name: 'Anna',
  gender: 'Female',
  phone: '+1 555 0100',
  email,
  password: PASSWORD,
  passwordConfirm: PASSWORD,
  country: 'US',
  firstAddress: '1 Example Street',
})

let count = 0

/** Registers a user. Returns the code from the mail. */
async function signUp(gateway: TestGateway) {
  count += 1
  const email = `new${count}@example.com`
  const browser = openBrowser(gateway)
  const reply = await browser.call('POST', '/users/signup', createForm(email))
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return { email, browser, code: await readNewestCode(gateway, email) }
}

async function readNewestCode(gateway: TestGateway, email: string): Promise<string> {
  const { id } = await gateway.db
    .selectFrom('identity.user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return (await readMails(gateway, id))[0]?.content.code ?? ''
}

const verifyEmail = (browser: Browser, code: string) =>
  browser.call('POST', '/users/verify_email', { code })

const getWrongCode = (code: string, steps = 1) =>
  String((Number(code) + steps) % 10_000).padStart(4, '0')

describe('T26 the four-digit code', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.stop())

  test('is refused if a new one replaces it meanwhile', async () => {
    const { browser, email, code } = await signUp(gateway)
    const user = gateway.db.selectFrom('identity.user').select('id').where('email', '=', email)
    const { id: userId } = await user.executeTakeFirstOrThrow()
    // The steps of a new code in its order. In another order, the two calls would wait for each
    // other.
    const reply = await runDuring(
      gateway,
      (trx) => lockUser(trx, userId),
      () => verifyEmail(browser, code),
      { finish: (trx) => closeCodes(trx, userId, gateway.deps.clock.now()) },
    )
    expect(reply).toMatchObject({ status: 400, failure: { code: 'CODE_EXPIRED' } })
  })

  test('checks five of 200 concurrent guesses, and refuses the correct code after them', async () => {
    const { browser, code } = await signUp(gateway)
    const guesses = Array.from({ length: 200 }, (_, index) => getWrongCode(code, index + 1))
    const replies = await Promise.all(guesses.map((guess) => verifyEmail(browser, guess)))
    const judged = replies.filter(({ failure }) => failure.code === 'CODE_WRONG').length
    // The fifth wrong attempt and all attempts after it are answered as locked.
    expect(judged).toBeLessThanOrEqual(5)
    expect(replies.every(({ status }) => status === 400)).toBe(true)
    expect((await verifyEmail(browser, code)).failure.code).toBe('CODE_LOCKED')
  })

  test('is valid once, in the browser that asked, for ten minutes', async () => {
    const { browser, code } = await signUp(gateway)
    const stranger = await signUp(gateway)
    if (stranger.code !== code) {
      expect((await verifyEmail(stranger.browser, code)).failure.code).toBe('CODE_WRONG')
    }
    expect((await verifyEmail(openBrowser(gateway), code)).failure.code).toBe('NO_PENDING_CODE')
    const replies = await Promise.all([verifyEmail(browser, code), verifyEmail(browser, code)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const late = await signUp(gateway)
    gateway.moveClock(601_000)
    expect((await verifyEmail(late.browser, late.code)).failure.code).toBe('CODE_EXPIRED')
  })

  test('is replaced by the next code', async () => {
    const { browser, code, email } = await signUp(gateway)
    gateway.moveClock(61_000)
    await browser.call('POST', '/users/resend_code')
    const next = await readNewestCode(gateway, email)
    if (next !== code) expect((await verifyEmail(browser, code)).failure.code).toBe('CODE_WRONG')
    expect((await verifyEmail(browser, next)).status).toBe(200)
  })

  test('sabotaged twin: if attempts are not counted, the sixth guess is accepted', async () => {
    const { browser, code } = await signUp(gateway)
    for (let guess = 1; guess <= 5; guess += 1) {
      await verifyEmail(browser, getWrongCode(code, guess))
      await gateway.db.updateTable('identity.email_code').set({ tries: 0 }).execute()
    }
    expect((await verifyEmail(browser, code)).status).toBe(200)
  })
})

describe('T53 limits of mails and registrations', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, rateLimitScale: 1 }) })
    await setSettings(gateway, {})
  })
  afterAll(() => gateway.stop())

  test('three mails an hour to one address, for any caller and method', async () => {
    const { email, browser } = await signUp(gateway)
    const requestAllCodes = () =>
      Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 === 0
            ? browser.call('POST', '/users/resend_code')
            : openBrowser(gateway).call('POST', '/users/login', { email, password: PASSWORD }),
        ),
      )
    for (let round = 0; round < 4; round += 1) {
      gateway.moveClock(61_000)
      await requestAllCodes()
    }
    expect(await countMails(gateway, email)).toBe(3)
    gateway.moveClock(3_600_000)
    await requestAllCodes()
    expect(await countMails(gateway, email)).toBe(4)
  })

  test('three links an hour to one address under 50 requests at once', async () => {
    const { email, browser, code } = await signUp(gateway)
    gateway.moveClock(3_600_000)
    await verifyEmail(browser, code)
    await gateway.db
      .updateTable('identity.user')
      .set({ email_verified_at: new Date() })
      .where('email', '=', email)
      .execute()
    const before = await countMails(gateway, email)
    const requestLink = () => openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    const replies = await Promise.all(Array.from({ length: 50 }, requestLink))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await expect.poll(() => countMails(gateway, email)).toBe(before + 3)
  })

  test('links that strangers ask for keep no address from signing up', async () => {
    gateway.moveClock(3_600_000)
    const email = 'chosen@example.com'
    for (let nth = 0; nth < 5; nth += 1) {
      await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    }
    // The answer does not wait for the count.
    await expect.poll(countCodeMails).toBe(3)
    const reply = await openBrowser(gateway).call('POST', '/users/signup', createForm(email))
    expect(reply.status).toBe(201)
    expect(await countMails(gateway, email)).toBe(1)

    async function countCodeMails(): Promise<number> {
      const since = new Date(gateway.deps.clock.now() - 3_600_000)
      const rows = await gateway.db
        .selectFrom('identity.code_mail')
        .select('sent_at')
        .where('sent_at', '>', since)
        .execute()
      return rows.length
    }
  })

  test('twenty registrations an hour from one address, of 200 at once', async () => {
    gateway.moveClock(3_600_000)
    const browser = openBrowser(gateway)
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        browser.call('POST', '/users/signup', createForm(`flood${index}@example.com`)),
      ),
    )
    const taken = replies.filter(({ status }) => status === 201).length
    expect(taken).toBeGreaterThanOrEqual(19)
    expect(taken).toBeLessThanOrEqual(21)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length + taken).toBe(200)
  })
})

describe('its sabotaged twin, with limits a hundred times as wide', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.stop())

  test('lets forty registrations in', async () => {
    const browser = openBrowser(gateway)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        browser.call('POST', '/users/signup', createForm(`wide${index}@example.com`)),
      ),
    )
    expect(replies.filter(({ status }) => status === 201).length).toBe(40)
  })
})

async function countMails(gateway: TestGateway, email: string): Promise<number> {
  const rows = await gateway.db
    .selectFrom('identity.outbox as mail')
    .innerJoin('identity.user as user', 'user.id', 'mail.user_id')
    .select('mail.id')
    .where('user.email', '=', email)
    .where('mail.kind', 'in', ['verification-code', 'password-reset'])
    .execute()
  return rows.length
}
