import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addUser,
  PASSWORD,
  send,
  startTestGateway,
  type TestGateway,
} from '../../../testing/test-gateway.ts'
import { hashToken } from '../sessions/sessions.ts'
import { activateWaitingInvestors } from '../users/activation.ts'

let gateway: TestGateway
let count = 0
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

interface Browser {
  email: string
  cookie: string
}

function createForm(email: string, changes: Record<string, unknown> = {}) {
  return {
    name: 'Anna Example',
    gender: 'Female',
    phone: '+44 20 7946 0000',
    email,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    country: 'Ireland',
    firstAddress: '1 Example Road',
    ...changes,
  }
}

async function signUp(given?: string): Promise<Browser> {
  count += 1
  const email = given ?? `anna${count}@example.com`
  const reply = await post('/users/signup', createForm(email))
  expect(reply.status).toBe(201)
  return { email, cookie: readPendingCookie(reply.headers) }
}

function readPendingCookie(headers: Headers): string {
  const line = headers.getSetCookie().find((item) => item.startsWith('pending=')) ?? ''
  expect(line).toContain('HttpOnly')
  return line.split(';')[0] ?? ''
}

function post(path: string, body: unknown, cookie = '') {
  return send(gateway, { cookie, csrfToken: '' }, { method: 'POST', path, body })
}

/** Returns the newest code for this address, decrypted from the outbox. */
async function readMailedCode(email: string): Promise<string> {
  const row = await gateway.db
    .selectFrom('identity.outbox as mail')
    .innerJoin('identity.user as user', 'user.id', 'mail.user_id')
    .select('mail.sealed')
    .where('user.email', '=', email)
    .orderBy('mail.created_at', 'desc')
    .executeTakeFirstOrThrow()
  return gateway.deps.seal.open(row.sealed ?? Buffer.alloc(0)).code ?? ''
}

async function countMails(email: string): Promise<number> {
  const rows = await gateway.db
    .selectFrom('identity.outbox as mail')
    .innerJoin('identity.user as user', 'user.id', 'mail.user_id')
    .select('mail.id')
    .where('user.email', '=', email)
    .execute()
  return rows.length
}

function getWrongCode(code: string): string {
  return code === '0000' ? '0001' : '0000'
}

describe('registering', () => {
  test('the mailed code makes an active investor, known to the ledger with the referrer', async () => {
    const referrer = await addUser(gateway, { role: 'user', status: 'active' })
    const { account_id } = await gateway.db
      .selectFrom('identity.user')
      .select('account_id')
      .where('id', '=', referrer)
      .executeTakeFirstOrThrow()
    const email = 'referred@example.com'
    const reply = await post(
      '/users/signup',
      createForm(email, { refid: account_id.toLowerCase() }),
    )
    const cookie = readPendingCookie(reply.headers)
    const code = await readMailedCode(email)
    expect(code).toMatch(/^\d{4}$/)

    const verified = await post('/users/verify_email', { code }, cookie)
    expect(verified.body.data).toEqual({ email, status: 'active' })
    expect(gateway.ledger.commands.at(-1)).toMatchObject({
      type: 'ActivateInvestor',
      data: { referrerId: referrer },
    })
    const again = await post('/users/verify_email', { code }, cookie)
    expect(again.body.code).toBe('CODE_EXPIRED')
  })

  test('a referred person belongs to the ledger of the referrer', async () => {
    const referrer = await addUser(gateway, { role: 'user', status: 'active' })
    const { account_id } = await gateway.db
      .updateTable('identity.user')
      .set({ ledger_id: 7 })
      .where('id', '=', referrer)
      .returning('account_id')
      .executeTakeFirstOrThrow()
    const ofReferred = 'of-ledger-7@example.com'
    const ofNobody = 'of-first-ledger@example.com'
    await post('/users/signup', createForm(ofReferred, { refid: account_id }))
    await post('/users/signup', createForm(ofNobody))
    const rows = await gateway.db
      .selectFrom('identity.user')
      .select(['email', 'ledger_id'])
      .where('email', 'in', [ofReferred, ofNobody])
      .execute()
    expect(Object.fromEntries(rows.map((row) => [row.email, row.ledger_id]))).toEqual({
      [ofReferred]: 7,
      [ofNobody]: 1,
    })
  })

  test('the database does not contain the code in plain text', async () => {
    const { email } = await signUp()
    const code = await readMailedCode(email)
    const rows = await gateway.db.selectFrom('identity.outbox').select('sealed').execute()
    const codes = await gateway.db.selectFrom('identity.email_code').select('code_hmac').execute()
    const bytes = [...rows.map(({ sealed }) => sealed), ...codes.map((row) => row.code_hmac)]
    expect(bytes.some((item) => item?.includes(`"code":"${code}"`))).toBe(false)
  })

  test('five wrong codes lock the code, also for the right one', async () => {
    const { email, cookie } = await signUp()
    const code = await readMailedCode(email)
    for (let tries = 1; tries <= 4; tries += 1) {
      const reply = await post('/users/verify_email', { code: getWrongCode(code) }, cookie)
      expect(reply.body.code).toBe('CODE_WRONG')
    }
    const fifth = await post('/users/verify_email', { code: getWrongCode(code) }, cookie)
    expect(fifth).toMatchObject({ status: 400, body: { code: 'CODE_LOCKED' } })
    const right = await post('/users/verify_email', { code }, cookie)
    expect(right).toMatchObject({ status: 400, body: { code: 'CODE_LOCKED' } })
  })

  test('twenty racing wrong codes have five tries', async () => {
    const { email, cookie } = await signUp()
    const wrong = getWrongCode(await readMailedCode(email))
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post('/users/verify_email', { code: wrong }, cookie)),
    )
    // Four attempts are answered as wrong. The fifth and all later attempts are answered as locked.
    expect(replies.filter(({ body }) => body.code === 'CODE_WRONG')).toHaveLength(4)
    expect(replies.filter(({ body }) => body.code === 'CODE_LOCKED')).toHaveLength(16)
  })

  test('the code works only in the browser that asked for it, and for ten minutes', async () => {
    const { email, cookie } = await signUp()
    const code = await readMailedCode(email)
    const elsewhere = await post('/users/verify_email', { code })
    expect(elsewhere).toMatchObject({ status: 401, body: { code: 'NO_PENDING_CODE' } })
    const other = await signUp()
    const crossed = await post(
      '/users/verify_email',
      { code: await createWrongCode(other, code) },
      other.cookie,
    )
    expect(crossed.body.code).toBe('CODE_WRONG')
    gateway.moveClock(10 * 60_000)
    const late = await post('/users/verify_email', { code }, cookie)
    expect(late.body.code).toBe('CODE_EXPIRED')
  })

  test('another code is sent after a minute, and the older code is then invalid', async () => {
    const { email, cookie } = await signUp()
    const first = await readMailedCode(email)
    const soon = await post('/users/resend_code', {}, cookie)
    expect(soon.body.data?.retryAfter).toBeGreaterThan(0)
    expect(soon.body.data?.isSent).toBe(false)
    expect(await countMails(email)).toBe(1)
    gateway.moveClock(60_000)
    const sent = await post('/users/resend_code', {}, cookie)
    expect(sent.body.data?.isSent).toBe(true)
    expect(await countMails(email)).toBe(2)
    const second = await readMailedCode(email)
    if (second !== first) {
      const stale = await post('/users/verify_email', { code: first }, cookie)
      expect(stale.body.code).toBe('CODE_WRONG')
    }
    expect((await post('/users/verify_email', { code: second }, cookie)).status).toBe(200)
  })

  test('a verified address is in use, an unverified address is not', async () => {
    const { email, cookie } = await signUp()
    const second = await signUp(email)
    const stale = await post('/users/verify_email', { code: await readMailedCode(email) }, cookie)
    expect(stale.body.code).toBe('CODE_EXPIRED')
    const code = await readMailedCode(email)
    expect((await post('/users/verify_email', { code }, second.cookie)).status).toBe(200)
    const third = await post('/users/signup', createForm(email.toUpperCase()))
    expect(third.status).toBe(400)
    expect(third.body.errors).toEqual([{ email: 'This email address is already registered' }])
  })

  test('a replaced sign-up gets no further code: the password would be the stranger’s', async () => {
    const victim = await signUp()
    gateway.moveClock(60_000)
    const stranger = await signUp(victim.email)
    gateway.moveClock(60_000)
    const mails = await countMails(victim.email)
    const refused = await post('/users/resend_code', {}, victim.cookie)
    expect(refused).toMatchObject({ status: 401, body: { code: 'NO_PENDING_CODE' } })
    expect(refused.body.message).toContain('sign up again')
    expect(await post('/users/resend_code', {})).toMatchObject({
      status: 401,
      body: { code: 'NO_PENDING_CODE', message: refused.body.message },
    })
    expect(await countMails(victim.email)).toBe(mails)
    expect((await post('/users/resend_code', {}, stranger.cookie)).status).toBe(200)
    expect(await countMails(victim.email)).toBe(mails + 1)

    const again = await signUp(victim.email)
    const code = await readMailedCode(victim.email)
    expect((await post('/users/verify_email', { code }, again.cookie)).status).toBe(200)
  })

  test('a sign-up that replaces another one counts as a change of the password', async () => {
    const { email } = await signUp()
    const readChange = async () =>
      (
        await gateway.db
          .selectFrom('identity.user')
          .select('password_changed_at')
          .where('email', '=', email)
          .executeTakeFirstOrThrow()
      ).password_changed_at.getTime()
    const before = await readChange()
    gateway.moveClock(60_000)
    await signUp(email)
    expect(await readChange()).toBeGreaterThanOrEqual(before + 60_000)
  })

  test('sabotaged twin: a code bound to the replaced sign-up verifies the stranger’s password', async () => {
    const victim = await signUp()
    const password = 'chosen by a stranger'
    const form = createForm(victim.email, { password, passwordConfirm: password })
    const stranger = readPendingCookie((await post('/users/signup', form)).headers)
    const pendingHash = (cookie: string) => hashToken(cookie.split('=')[1] ?? '')
    await gateway.db
      .updateTable('identity.email_code')
      .set({ pending_hash: pendingHash(victim.cookie) })
      .where('pending_hash', '=', pendingHash(stranger))
      .execute()
    const code = await readMailedCode(victim.email)
    expect((await post('/users/verify_email', { code }, victim.cookie)).status).toBe(200)
    const { email } = victim
    expect((await post('/users/login', { email, password })).status).toBe(200)
  })

  test('the failure lists each wrong field with its message', async () => {
    const reply = await post(
      '/users/signup',
      createForm('not an address', { name: '', password: 'short', passwordConfirm: 'other' }),
    )
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toEqual([
      { name: 'Name is required' },
      { email: 'Invalid email address' },
      { password: 'Password must be at least 8 characters' },
      { passwordConfirm: 'Passwords do not match' },
    ])
  })

  test.each([
    ['is common', 'iloveyou2', /too common/],
    ['is the own name with a year', 'Anna1990!', /must not be your name/],
    ['is the own address', 'newcomer@example.com', /must not be your name/],
    ['is the name of the site', 'cairn-2026', /the name of this site/],
  ])('a password that %s is refused', async (_what, password, sentence) => {
    const change = { name: 'Anna Smith', password, passwordConfirm: password }
    const reply = await post('/users/signup', createForm('newcomer@example.com', change))
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toEqual([{ password: expect.stringMatching(sentence) }])
  })

  test('an activation that the ledger cannot take waits for the next login', async () => {
    const { email, cookie } = await signUp()
    gateway.ledger.answerWith = () => ({
      outcome: 'failed',
      code: 'UNAVAILABLE',
      message: 'away',
    })
    const verified = await post(
      '/users/verify_email',
      { code: await readMailedCode(email) },
      cookie,
    )
    expect(verified.body.data).toEqual({ email, status: 'pending' })
    gateway.ledger.answerWith = () => null
    const login = await post('/users/login', { email, password: PASSWORD })
    expect(login.body.data).toMatchObject({ user: { status: 'active' } })
  })
})

async function createWrongCode(browser: Browser, code: string): Promise<string> {
  const own = await readMailedCode(browser.email)
  return own === code ? getWrongCode(own) : code
}

test('the worker repeats interrupted activations, even if an earlier activation fails', async () => {
  const emails = [await registerWithoutLedger(), await registerWithoutLedger()]
  const [stuck] = gateway.ledger.commands.slice(-2)
  gateway.ledger.answerWith = ({ type, data }) =>
    type === 'ActivateInvestor' && JSON.stringify(data) === JSON.stringify(stuck?.data)
      ? { outcome: 'refused', code: 'STANDING_CONFLICT', message: 'closed', details: {} }
      : null
  await expect(activateWaitingInvestors(gateway.deps, gateway.deps.clock.now())).rejects.toThrow(
    'some',
  )
  gateway.ledger.answerWith = () => null
  const rows = await gateway.db
    .selectFrom('identity.user')
    .select('status')
    .where('email', 'in', emails)
    .orderBy('created_at')
    .execute()
  expect(rows.map(({ status }) => status)).toEqual(['pending', 'active'])
})

/**
 * Registers a user whose activation fails because the ledger is unavailable. Returns the email.
 */
async function registerWithoutLedger(): Promise<string> {
  const { email, cookie } = await signUp()
  gateway.ledger.answerWith = () => ({ outcome: 'failed', code: 'UNAVAILABLE', message: 'away' })
  await post('/users/verify_email', { code: await readMailedCode(email) }, cookie)
  gateway.ledger.answerWith = () => null
  return email
}
