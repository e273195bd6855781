import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  visit,
} from '../../../testing/test-browser.ts'
import {
  addUser,
  openVisit,
  PASSWORD,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { ROWS_PER_SOURCE } from './refusal-recorder.ts'

let gateway: TestGateway
let superuser: Database
let admin: Visitor & { email: string }
beforeAll(async () => {
  gateway = await startTestGateway()
  superuser = openDatabase({ url: gateway.databaseUrl, applicationName: 'test', onError: () => {} })
})
afterAll(async () => {
  await superuser.destroy()
  await gateway.stop()
})
beforeEach(async () => {
  admin = await visit(gateway, 'admin')
})

const QUESTION = { question: 'Who keeps the keys?', answer: 'The operator.' }
const NO_ID = '0123456789abcdefghjk'

const createFaq = (by: Visitor, on = gateway) =>
  send(on, by, { method: 'POST', path: '/admin/faqs', body: QUESTION })

/** Lists the audit rows of a user, oldest first. */
async function listRows(actorId: string, on = gateway) {
  return await on.db
    .selectFrom('platform.audit')
    .select(['id', 'action', 'result', 'subject', 'attempt_id', 'details'])
    .where('actor_id', '=', actorId)
    .orderBy('id')
    .execute()
}

async function countFaqs(on = gateway): Promise<number> {
  return (await on.db.selectFrom('platform.faq').select('id').execute()).length
}

/** Runs `act` while the database refuses each audit row that meets the condition. */
async function runWithFailing<T>(
  condition: RawBuilder<unknown>,
  act: () => Promise<T>,
  database = superuser,
): Promise<T> {
  await sql`create function pg_temp_fail() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`.execute(database)
  await sql`create trigger fail before insert on platform.audit for each row
    when (${condition}) execute function pg_temp_fail()`.execute(database)
  try {
    return await act()
  } finally {
    await sql`drop trigger fail on platform.audit`.execute(database)
    await sql`drop function pg_temp_fail()`.execute(database)
  }
}

describe('a privileged act', () => {
  test('has a row before it takes effect and a row with its result', async () => {
    const { body } = await createFaq(admin)
    const id = JSON.parse(JSON.stringify(body)).data.faq.id
    const [attempt, result] = await listRows(admin.userId)
    expect(attempt).toMatchObject({ action: 'faq.create', result: 'attempted', attempt_id: null })
    expect(result).toMatchObject({ result: 'success', subject: id, attempt_id: attempt?.id })
  })

  test('has its rows in this order also within one millisecond', async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    onTestFinished(() => clock.mockRestore())
    for (let turn = 0; turn < 10; turn += 1) await createFaq(admin)
    const results = (await listRows(admin.userId)).filter(({ result }) => result === 'success')
    expect(results).toHaveLength(10)
    expect(results.filter(({ id, attempt_id: attempt }) => id < String(attempt))).toEqual([])
  })

  test('does not happen if the attempt cannot be recorded', async () => {
    const before = await countFaqs()
    const reply = await runWithFailing(sql`true`, () => createFaq(admin))
    expect(reply.status).toBe(500)
    expect(await countFaqs()).toBe(before)
  })

  test('leaves its attempt if nothing more can be recorded, and the list shows it', async () => {
    const before = await countFaqs()
    const reply = await runWithFailing(sql`new.result <> 'attempted'`, () => createFaq(admin))
    expect(reply.status).toBe(201)
    expect(await countFaqs()).toBe(before + 1)
    expect(await listRows(admin.userId)).toMatchObject([{ result: 'attempted' }])
    const path = `/admin/audit?actor=${admin.userId}`
    const { body } = await send(gateway, admin, { method: 'GET', path })
    expect(body.data?.entries).toMatchObject([{ action: 'faq.create', result: 'attempted' }])
  })

  test('is recorded with the code of its refusal', async () => {
    const path = `/admin/faqs/${NO_ID}`
    expect((await send(gateway, admin, { method: 'DELETE', path })).status).toBe(404)
    expect(await listRows(admin.userId)).toMatchObject([
      { action: 'faq.delete', result: 'attempted', subject: NO_ID },
      { action: 'faq.delete', result: 'NOT_FOUND', subject: NO_ID },
    ])
  })

  test('sabotaged twin: without the attempt, the act happens and no row says so', async () => {
    const sabotaged = await startTestGateway({
      isDocumentedOnly: false,
      alterRoute: (route) => ({ ...route, options: { ...route.options, audit: null } }),
    })
    const owner = openDatabase({
      url: sabotaged.databaseUrl,
      applicationName: 'test',
      onError: () => {},
    })
    const userId = await addUser(sabotaged, { role: 'admin', status: 'active' })
    const visitor = await openVisit(sabotaged, userId)
    const reply = await runWithFailing(sql`true`, () => createFaq(visitor, sabotaged), owner)
    expect(reply.status).toBe(201)
    expect(await listRows(userId, sabotaged)).toEqual([])
    await owner.destroy()
    await sabotaged.stop()
  })
})

describe('the audit log has', () => {
  test('successful and failed logins, and exports', async () => {
    await logIn(openBrowser(gateway), admin.email, 'a wrong passphrase')
    await logInNewBrowser(gateway, admin.email)
    const rows = await gateway.db
      .selectFrom('platform.audit')
      .select(['action', 'result', 'actor_id', 'subject'])
      .where('subject', '=', admin.userId)
      .orderBy('id')
      .execute()
    const login = { action: 'user.login', subject: admin.userId }
    expect(rows).toEqual([
      { ...login, result: 'WRONG_CREDENTIALS', actor_id: null },
      { ...login, result: 'attempted', actor_id: admin.userId },
      { ...login, result: 'success', actor_id: admin.userId },
    ])
    await send(gateway, admin, { method: 'GET', path: '/admin/faqs.csv' })
    const exports = (await listRows(admin.userId)).filter(({ action }) => action === 'faq.export')
    expect(exports.map(({ result }) => result)).toEqual(['attempted', 'success'])
  })

  test('a session never opens without a row', async () => {
    const browser = openBrowser(gateway)
    const reply = await runWithFailing(sql`new.action = 'user.login'`, () =>
      logIn(browser, admin.email),
    )
    expect(reply.status).toBe(500)
    expect((await browser.call('GET', '/users/me')).status).toBe(401)
  })

  test('missing permissions', async () => {
    const userId = await addUser(gateway, { role: 'admin', status: 'active', roles: ['finance'] })
    const visitor = await openVisit(gateway, userId)
    expect((await createFaq(visitor)).status).toBe(403)
    expect(await listRows(userId)).toMatchObject([
      {
        action: 'access.refused',
        result: 'PERMISSION_MISSING',
        details: { call: 'POST /admin/faqs', permission: 'faqs.write' },
      },
    ])
  })

  test('step-ups that were required, failed and passed', async () => {
    const browser = await logInNewBrowser(gateway, admin.email)
    const app = await enrolTotp(gateway, browser)
    gateway.moveClock(20 * 60_000)
    const again = await logInNewBrowser(gateway, admin.email)
    const listResults = async () =>
      (await listRows(admin.userId)).map((row) => [row.action, row.result])
    const code = await app.getCode()
    await again.call('POST', '/users/login/mfa', { code })
    gateway.moveClock(14 * 60_000)
    await again.call('GET', '/users/me')
    gateway.moveClock(2 * 60_000)
    await again.call('POST', '/admin/reserve', { amount: 1 })
    await again.call('POST', '/users/me/step_up', { code: '000000' })
    await again.call('POST', '/users/me/step_up', { code: await app.getCode() })
    expect(await listResults()).toEqual(
      expect.arrayContaining([
        ['access.refused', 'STEP_UP_REQUIRED'],
        ['mfa.step-up', 'attempted'],
        ['mfa.step-up', 'MFA_CODE_WRONG'],
        ['mfa.step-up', 'success'],
      ]),
    )
  })
})

describe('a flood of wrong passwords', () => {
  const FLOOD = 60

  async function sendFlood(on: TestGateway): Promise<void> {
    for (let index = 0; index < FLOOD; index += 1) {
      await logIn(openBrowser(on), `nobody${index}@example.com`, 'a wrong passphrase')
    }
  }
  const readFailures = (on: TestGateway) =>
    on.db
      .selectFrom('platform.audit')
      .select(['details', 'request_id'])
      .where('action', '=', 'user.login')
      .where('result', '=', 'WRONG_CREDENTIALS')
      .where('subject', 'is', null)
      .execute()

  test('has a limited number of rows, and the count of all further attempts', async () => {
    // The clock does not advance, so all attempts are in the same minute.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    onTestFinished(() => clock.mockRestore())
    await sendFlood(gateway)
    clock.mockRestore()
    const rows = (await readFailures(gateway)).filter((row) => row.request_id !== 'summary')
    expect(rows).toHaveLength(ROWS_PER_SOURCE)
    gateway.moveClock(60_000)
    await logIn(openBrowser(gateway), 'later@example.com', 'a wrong passphrase')
    const summary = (await readFailures(gateway)).filter((row) => row.request_id === 'summary')
    // A timer writes the count of each minute, so attempts that took longer have several rows.
    expect(summary.length).toBeLessThanOrEqual(ROWS_PER_SOURCE)
    // The cast is safe because each row with a count has these details.
    const counts = summary.map(({ details }) => (details as { count: number }).count)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(FLOOD - ROWS_PER_SOURCE)
  })
})

describe('personal data and secrets', () => {
  test('are in no row after a run of hostile inputs', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const MARK = 'Zyx9 Secret-Marker'
    const marked = `${MARK.replaceAll(' ', '')}@example.com`.toLowerCase()
    const browser = await logInNewBrowser(gateway, email)
    const office = await logInNewBrowser(gateway, admin.email)
    const calls: [typeof browser, string, string, unknown][] = [
      [browser, 'POST', '/users/login', { email: marked, password: MARK }],
      [browser, 'POST', '/users/forgot_password', { email: marked }],
      [
        browser,
        'POST',
        '/users/reset_password',
        { token: MARK, password: MARK, passwordConfirm: MARK },
      ],
      [browser, 'PUT', '/users/update-profile', { name: MARK, email: marked, country: MARK }],
      [browser, 'POST', '/users/me/mfa/setup', { password: MARK }],
      [
        browser,
        'POST',
        '/users/me/banks',
        { bankName: MARK, accountNumber: '99887766', accountName: MARK },
      ],
      [office, 'POST', '/users/invite', { name: MARK, email: marked }],
      [office, 'GET', `/users.csv?q=${encodeURIComponent(MARK)}`, undefined],
      [office, 'GET', `/admin/users.csv?q=${encodeURIComponent(MARK)}`, undefined],
      [office, 'POST', `/users/${userId}/notes`, { text: MARK }],
      [office, 'DELETE', `/admin/faqs/${encodeURIComponent(MARK)}`, undefined],
      [office, 'PATCH', `/users/${userId}/status`, { status: MARK }],
    ]
    for (const [who, method, path, body] of calls) await who.call(method, path, body)
    const rows = await gateway.db.selectFrom('platform.audit').selectAll().execute()
    const text = JSON.stringify(rows).toLowerCase()
    expect(rows.length).toBeGreaterThan(10)
    for (const secret of [
      MARK,
      marked,
      PASSWORD,
      email,
      admin.email,
      admin.csrfToken,
      'zyx9',
      '99887766',
    ]) {
      expect(text).not.toContain(secret.toLowerCase())
    }
    for (const [name, value] of browser.cookies) {
      if (name === 'sid') expect(text).not.toContain(value.toLowerCase())
    }
  })
})
