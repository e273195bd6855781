import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Browser,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { lockUser } from '../users/index.ts'
import { issueLink, revokeLinks } from './link-tokens.ts'

const DAY_MS = 86_400_000
const NEW_PASSWORD = 'a quite new passphrase'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(() => setSettings(gateway, {}))
afterAll(() => gateway.stop())

async function addPerson(who: 'investor' | 'admin' | 'pending' = 'investor') {
  const known = await visit(gateway, who)
  return { ...known, browser: await logInNewBrowser(gateway, known.email) }
}

function changePassword(browser: Browser, newPassword: string, currentPassword = PASSWORD) {
  const body = { currentPassword, newPassword, passwordConfirm: newPassword }
  return browser.call('PATCH', '/users/me/password', body)
}

/**
 * Waits until the user has received at least `letters` mails. Returns the token in the newest mail.
 */
async function readMailedToken(userId: string, letters = 1): Promise<string> {
  const readPasswordResetPaths = async () => {
    const mails = await readMails(gateway, userId)
    return mails.filter(({ kind }) => kind === 'password-reset').map(({ content }) => content.path)
  }
  await expect.poll(readPasswordResetPaths).toHaveLength(letters)
  return (await readPasswordResetPaths())[0]?.split('/users/resetPassword#token=')[1] ?? ''
}

function resetPassword(token: string, password = NEW_PASSWORD) {
  const body = { token, password, passwordConfirm: password }
  return openBrowser(gateway).call('POST', '/users/reset_password', body)
}

describe('changing a password', () => {
  test('needs the current password, a repetition, and a password that is not common', async () => {
    const { browser, email } = await addPerson()
    expect((await changePassword(browser, NEW_PASSWORD, 'not the one')).failure.errors).toEqual([
      { currentPassword: 'This is not your current password' },
    ])
    const form = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, passwordConfirm: 'x' }
    const differing = await browser.call('PATCH', '/users/me/password', form)
    expect(differing.failure.errors).toEqual([{ passwordConfirm: 'Passwords do not match' }])
    expect((await changePassword(browser, 'short')).failure.message).toBe(
      'Password must be at least 8 characters',
    )
    for (const common of ['password123', 'qwertyuiop', 'iloveyou2', email]) {
      expect((await changePassword(browser, common)).status, common).toBe(400)
    }
    expect((await changePassword(browser, PASSWORD)).status).toBe(400)
    expect((await changePassword(browser, NEW_PASSWORD)).status).toBe(200)
    expect((await logIn(openBrowser(gateway), email)).status).toBe(401)
    expect((await logIn(openBrowser(gateway), email, NEW_PASSWORD)).status).toBe(200)
  })

  test('of an administrator without a second factor asks for 15 characters', async () => {
    const { browser } = await addPerson('admin')
    expect((await changePassword(browser, 'fourteen chars')).status).toBe(400)
    expect((await changePassword(browser, 'fifteen chars !')).status).toBe(200)
  })

  test('pauses withdrawals for the hours in the settings', async () => {
    const { browser, email } = await addPerson()
    const bank = { bankName: 'B', accountNumber: '1', accountName: 'A', accountType: 'Others' }
    const added = await browser.call('POST', '/users/me/banks', bank)
    const { account } = added.body.data as unknown as { account: { id: string } }
    const body = { type: 'withdrawal', amount: 50, pay_option: 'balance', bank_id: account.id }
    const requestWithdrawal = async () => {
      const before = gateway.ledger.commands.length
      const reply = await browser.call('POST', '/users/me/transactions', body)
      return { reply, isAsked: gateway.ledger.commands.length > before }
    }
    expect((await requestWithdrawal()).isAsked).toBe(true)
    const changed = await changePassword(browser, NEW_PASSWORD)
    const until = (changed.body.data as unknown as { user: { credentialHoldUntil: string } }).user
    expect(Date.parse(until.credentialHoldUntil) - gateway.deps.clock.now()).toBeGreaterThan(
      DAY_MS - 60_000,
    )
    const { reply, isAsked } = await requestWithdrawal()
    expect(reply).toMatchObject({ status: 403, failure: { code: 'CREDENTIAL_HOLD' } })
    expect(isAsked).toBe(false)
    gateway.moveClock(DAY_MS + 1_000)
    await logIn(browser, email, NEW_PASSWORD)
    expect((await requestWithdrawal()).isAsked).toBe(true)
  })

  test('sabotaged twin: with zero hours of hold, the money can be withdrawn at once', async () => {
    await setSettings(gateway, { security: { credentialHoldHours: 0 } })
    const { browser } = await addPerson()
    const changed = await changePassword(browser, NEW_PASSWORD)
    expect(changed.body.data).toMatchObject({ user: { credentialHoldUntil: null } })
  })

  test('is asked for when it has expired, and nothing else is open until then', async () => {
    const { email, userId } = await addPerson()
    await setSettings(gateway, { security: { passwordExpiry: 30 } })
    gateway.moveClock(31 * DAY_MS)
    const browser = openBrowser(gateway)
    const reply = await logIn(browser, email)
    expect(reply.body.data).toMatchObject({ user: { id: userId }, isPasswordExpired: true })
    const closed = await browser.call('GET', '/users/me/transactions')
    expect(closed).toMatchObject({ status: 403, failure: { code: 'PASSWORD_EXPIRED' } })
    expect((await changePassword(browser, NEW_PASSWORD)).status).toBe(200)
    expect((await browser.call('GET', '/users/me/transactions')).status).toBe(200)
  })

  test('is never asked for where there is a second factor', async () => {
    const { email, browser } = await addPerson()
    const app = await enrolTotp(gateway, browser)
    await setSettings(gateway, { security: { passwordExpiry: 30 } })
    gateway.moveClock(31 * DAY_MS)
    const later = openBrowser(gateway)
    await logIn(later, email)
    await later.call('POST', '/users/login/mfa', { code: app.getCode() })
    expect((await later.call('GET', '/users/me/transactions')).status).toBe(200)
  })
})

async function readMe(browser: Browser): Promise<{ email: string; pendingEmail: string | null }> {
  const reply = await browser.call('GET', '/users/me')
  return (reply.body.data as unknown as { user: { email: string; pendingEmail: string | null } })
    .user
}

async function countWaitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(gateway.db)
  return rows[0]?.count ?? 0
}

describe('a forgotten password', () => {
  test('is set by the link of the mail, once, within half an hour', async () => {
    const { email, userId, browser } = await addPerson()
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    const token = await readMailedToken(userId)
    const kinds = await openBrowser(gateway).call('POST', '/users/reset_password/check', { token })
    expect(kinds.body.data).toEqual({ purpose: 'reset', isAccountNeeded: false })
    const replies = await Promise.all([
      resetPassword(token),
      resetPassword(token),
      resetPassword(token),
    ])
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
    expect((await browser.call('GET', '/users/me')).status).toBe(401)
    expect((await logIn(openBrowser(gateway), email, NEW_PASSWORD)).status).toBe(200)
    expect((await resetPassword(token, 'yet another phrase')).failure.code).toBe('LINK_EXPIRED')
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    const late = await readMailedToken(userId, 2)
    gateway.moveClock(31 * 60_000)
    const check = { token: late }
    const shown = await openBrowser(gateway).call('POST', '/users/reset_password/check', check)
    expect(shown.failure.code).toBe('LINK_EXPIRED')
    expect((await resetPassword(late)).failure.code).toBe('LINK_EXPIRED')
  })

  test('does not take the second factor away', async () => {
    const { email, userId, browser } = await addPerson()
    await enrolTotp(gateway, browser)
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    expect((await resetPassword(await readMailedToken(userId))).status).toBe(204)
    const reply = await logIn(openBrowser(gateway), email, NEW_PASSWORD)
    expect(reply.body.data).toMatchObject({ mfa: { required: true, isEnrolled: true } })
  })

  test('a newer link ends the older one, and the token is stored as a hash', async () => {
    const { email, userId } = await addPerson()
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    const first = await readMailedToken(userId)
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    const second = await readMailedToken(userId, 2)
    expect(second).not.toBe(first)
    expect((await resetPassword(first)).failure.code).toBe('LINK_EXPIRED')
    const rows = await gateway.db.selectFrom('identity.link_token').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(second)
  })

  test('is not in a deadlock with a password change at the same moment', async () => {
    const { userId } = await addPerson()
    const link = { purpose: 'reset', userId, nowMs: gateway.deps.clock.now() } as const
    const { token } = await issueLink(gateway.db, link)
    const resetting = await gateway.db.transaction().execute(async (trx) => {
      await lockUser(trx, userId)
      const sent = resetPassword(token)
      await expect.poll(countWaitingForLocks).toBe(1)
      await revokeLinks(trx, userId)
      return { sent }
    })
    expect((await resetting.sent).failure.code).toBe('LINK_EXPIRED')
  })

  test('opens no session after an administrator has forced a reset', async () => {
    const admin = await addPerson('admin')
    const { email, userId } = await addPerson()
    const forced = await admin.browser.call('POST', `/users/${userId}/force_reset`)
    expect(forced.status).toBe(204)
    const refused = await logIn(openBrowser(gateway), email)
    expect(refused).toMatchObject({ status: 403, failure: { code: 'PASSWORD_RESET_REQUIRED' } })
    expect((await resetPassword(await readMailedToken(userId))).status).toBe(204)
    expect((await logIn(openBrowser(gateway), email, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('another email address', () => {
  const createProfile = (email: string) => ({
    name: 'Anna',
    email,
    phone: '+1 555 0199',
    country: 'DE',
  })
  const saveProfile = (browser: Browser, email: string) =>
    browser.call('PUT', '/users/update-profile', createProfile(email))

  test('needs its code and the password; the old address is mailed', async () => {
    const { browser, email, userId } = await addPerson()
    const elsewhere = await logInNewBrowser(gateway, email)
    const newEmail = `new-${userId}@example.com`
    const reply = await saveProfile(browser, newEmail)
    expect(reply.body.data).toMatchObject({
      user: { pendingName: 'Anna', email, pendingEmail: newEmail, country: 'DE' },
    })
    const [mail] = await readMails(gateway, userId)
    expect(mail).toMatchObject({ kind: 'email-change-code', content: { to: newEmail } })
    const code = mail?.content.code ?? ''
    const confirmEmail = (body: object) => browser.call('POST', '/users/me/email/confirm', body)
    expect((await confirmEmail({ code, password: 'not the one' })).status).toBe(400)
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await confirmEmail({ code: wrong, password: PASSWORD })).failure.code).toBe(
      'CODE_WRONG',
    )
    const done = await confirmEmail({ code, password: PASSWORD })
    expect(done.body.data).toMatchObject({ user: { email: newEmail, pendingEmail: null } })
    expect((await elsewhere.call('GET', '/users/me')).status).toBe(401)
    const [notice] = await readMails(gateway, userId)
    expect(notice).toMatchObject({ kind: 'email-changed', content: { to: email, email: newEmail } })
    expect((await logIn(openBrowser(gateway), newEmail)).status).toBe(200)
    expect((await logIn(openBrowser(gateway), email)).status).toBe(401)
  })

  test('accepts five attempts, and is withdrawn when the current address is saved', async () => {
    const { browser, email, userId } = await addPerson()
    await saveProfile(browser, `five-${userId}@example.com`)
    const [mail] = await readMails(gateway, userId)
    const code = mail?.content.code ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    const confirmEmail = (given: string) =>
      browser.call('POST', '/users/me/email/confirm', { code: given, password: PASSWORD })
    for (let guess = 1; guess <= 5; guess += 1) expect((await confirmEmail(wrong)).status).toBe(400)
    expect((await confirmEmail(code)).failure.code).toBe('CODE_EXPIRED')
    await saveProfile(browser, email)
    expect((await readMe(browser)).pendingEmail).toBeNull()
  })

  test('gets a new code when it is saved again and its code is no longer valid', async () => {
    const { browser, userId } = await addPerson()
    const newEmail = `again-${userId}@example.com`
    const saveAgain = async () => {
      expect((await saveProfile(browser, newEmail)).status).toBe(200)
      const mails = await readMails(gateway, userId)
      return mails.filter(({ kind }) => kind === 'email-change-code')
    }
    expect(await saveAgain()).toHaveLength(1)
    // While the code is valid, the address is saved without a mail.
    expect(await saveAgain()).toHaveLength(1)
    const setCode = (code: { tries?: number; expires_at?: Date }) =>
      gateway.db
        .updateTable('identity.email_change')
        .set(code)
        .where('user_id', '=', userId)
        .execute()
    await setCode({ expires_at: new Date(gateway.deps.clock.now()) })
    expect(await saveAgain()).toHaveLength(2)
    await setCode({ tries: 5 })
    const [newest] = await saveAgain()
    const body = { code: newest?.content.code, password: PASSWORD }
    expect((await browser.call('POST', '/users/me/email/confirm', body)).status).toBe(200)
  })

  test('ends the links that were mailed to the old address', async () => {
    const { browser, email, userId } = await addPerson()
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    const token = await readMailedToken(userId)
    await saveProfile(browser, `moved-${userId}@example.com`)
    const [mail] = await readMails(gateway, userId)
    const body = { code: mail?.content.code, password: PASSWORD }
    expect((await browser.call('POST', '/users/me/email/confirm', body)).status).toBe(200)
    expect((await resetPassword(token)).failure.code).toBe('LINK_EXPIRED')
  })

  test('of another user is answered like an unknown one, and never confirmed', async () => {
    const { browser, userId } = await addPerson()
    const other = await addPerson()
    const free = await saveProfile(browser, `free-${userId}@example.com`)
    const taken = await saveProfile(browser, other.email)
    expect([free.status, taken.status]).toEqual([200, 200])
    expect((await readMe(browser)).pendingEmail).toBe(other.email)
    const codes = (await readMails(gateway, userId)).filter(
      ({ kind, content }) => kind === 'email-change-code' && content.to === other.email,
    )
    expect(codes).toEqual([])
    expect((await readMails(gateway, other.userId)).map(({ kind }) => kind)).toContain(
      'email-in-use',
    )
    const body = { code: '000000', password: PASSWORD }
    const confirmed = await browser.call('POST', '/users/me/email/confirm', body)
    expect(confirmed.status).toBe(400)
  })

  test('is counted also if it is taken, so that addresses cannot be tried in a row', async () => {
    const { browser, userId } = await addPerson()
    const { email } = await addPerson()
    await saveProfile(browser, email)
    const rows = await gateway.db
      .selectFrom('identity.code_mail')
      .select('sent_at')
      .where('address_hash', '=', createHash('sha256').update(`changes of ${userId}`).digest())
      .execute()
    expect(rows).toHaveLength(1)
  })
})
