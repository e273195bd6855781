import { text } from 'node:stream/consumers'
import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import {
  type Browser,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, type Visitor } from '../../../testing/test-gateway.ts'
import { findInvestor } from '../../platform/ledger-client/investors.ts'
import { composeMail } from '../../platform/mail/compose.ts'
import { exportPersonalData } from './personal-data.ts'

const MINUTE_MS = 60_000

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.gateway.stop())

interface Person extends Visitor {
  email: string
  browser: Browser
}

async function addPerson(): Promise<Person> {
  const person = await visit(scene.gateway, 'investor')
  const browser = await logInNewBrowser(scene.gateway, person.email)
  const name = `Verena Q ${person.userId}`
  const profile = { name, email: person.email, phone: '+1 555 0987', country: 'DE' }
  await browser.call('PUT', '/users/update-profile', profile)
  // Sets the name directly, as if an administrator had reviewed it.
  const named = scene.gateway.db.updateTable('identity.user').set({ name })
  await named.where('id', '=', person.userId).execute()
  return { ...person, browser }
}

const closeAccount = ({ browser }: Person, password = PASSWORD) =>
  browser.call('POST', '/users/me/close', { password })

interface OwnRecord {
  profile: { name: string; email: string; wallet: { balance: number }[] }
  transactions: { id: string }[]
  investments: unknown[]
  notifications: unknown[]
  activity: { action: string }[]
  removedBankAccounts: unknown[]
  sessions: unknown[]
  acceptedRiskWarnings: unknown[]
}

async function downloadRecord({ cookie }: Pick<Visitor, 'cookie'>): Promise<OwnRecord> {
  const response = await fetch(`${scene.gateway.url}/api/v1/users/me/data.json`, {
    headers: { cookie },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-/)
  // The cast is safe because the tests check the content.
  return (await response.json()) as OwnRecord
}

describe('the export of the caller’s own data', () => {
  test('is complete over several pages and has no data of other users', async () => {
    const person = await addPerson()
    const { userId } = person
    const nowMs = scene.gateway.deps.clock.now()
    const row = { kind: 'security', title: 'T', body: 'B', link: null, read_at: null } as const
    await scene.gateway.db
      .insertInto('platform.notification')
      .values(
        Array.from({ length: 1_005 }, (_, place) => ({
          ...row,
          id: createId(nowMs),
          user_id: userId,
          source: `s${place}`,
          created_at: new Date(nowMs),
        })),
      )
      .execute()
    const bank = {
      accountName: 'Person',
      accountNumber: '5501',
      bankName: 'Removed Bank',
      accountType: 'Others',
    }
    const added = await expectOk(person.browser.call('POST', '/users/me/banks', bank))
    await expectOk(person.browser.call('DELETE', `/users/me/banks/${getId(added, 'account')}`))
    const stranger = await addPerson()
    const cookie = [...person.browser.cookies].map((pair) => pair.join('=')).join('; ')
    const record = await downloadRecord({ cookie })
    expect(record.notifications).toHaveLength(1_005)
    expect(record.profile).toMatchObject({ email: person.email })
    expect(record.removedBankAccounts).toMatchObject([{ accountNumber: '5501' }])
    expect(record.sessions.length).toBeGreaterThan(0)
    expect(record.activity.map(({ action }) => action)).toContain('user.update-profile')
    const all = JSON.stringify(record)
    for (const id of [stranger.userId, scene.admin.userId, scene.depositId]) {
      expect(all).not.toContain(id)
    }
    for (const secret of ['password_hash', 'token_hash', 'argon2']) {
      expect(all).not.toContain(secret)
    }
  })

  test('sabotaged twin: an export for another user contains the data of that user', async () => {
    const whose = { userId: scene.investor.userId, nowMs: scene.gateway.deps.clock.now() }
    const { bytes } = await exportPersonalData(scene.gateway.deps, whose)
    if (Buffer.isBuffer(bytes)) throw new Error('it is written while it is read')
    expect(await text(bytes)).toContain(scene.depositId)
  })
})

describe('closing the caller’s own account', () => {
  test('erases the data, ends every session, and informs the old address in a last mail', async () => {
    const person = await addPerson()
    const elsewhere = await logInNewBrowser(scene.gateway, person.email)
    expect((await closeAccount(person)).status).toBe(204)
    for (const browser of [person.browser, elsewhere]) {
      expect((await browser.call('GET', '/users/me')).status).toBe(401)
    }
    expect((await logIn(openBrowser(scene.gateway), person.email)).status).toBe(401)
    const row = await scene.gateway.db
      .selectFrom('identity.user')
      .select(['name', 'email', 'deleted_at'])
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Deleted user', deleted_at: expect.any(Date) })
    expect(scene.gateway.ledger.commands.at(-1)).toMatchObject({
      type: 'CloseInvestor',
      actor: `user:${person.userId}`,
    })
    const [mail] = await readMails(scene.gateway, person.userId)
    expect(mail?.kind).toBe('account-closed')
    const { id: outboxId } = await scene.gateway.db
      .selectFrom('identity.outbox')
      .select('id')
      .where('user_id', '=', person.userId)
      .executeTakeFirstOrThrow()
    const payload = { source: 'outbox', outboxId, requestId: null } as const
    expect(await composeMail(scene.gateway.deps, payload)).toMatchObject({
      kind: 'account-closed',
      to: { address: person.email, name: `Verena Q ${person.userId}` },
    })
  })

  test('is refused by the ledger while the account has money or requests', async () => {
    const person = await addPerson()
    const { browser } = person
    const id = await scene.deposit(person, '40.00')
    const refused = await closeAccount(person)
    expect(refused).toMatchObject({ status: 409, failure: { code: 'INVESTOR_NOT_EMPTY' } })
    expect(refused.failure.message).toMatch(/^Your account still has money, a pending request/)
    expect((await browser.call('GET', '/users/me')).status).toBe(200)
    await browser.call('POST', `/users/me/transactions/${id}/cancel`)
    expect((await closeAccount(person)).status).toBe(204)
  })

  test('sabotaged twin: without the check of the ledger, an account with money is closed', async () => {
    scene.gateway.ledger.answerWith = ({ type }) =>
      type === 'CloseInvestor'
        ? { outcome: 'refused', code: 'INVESTOR_UNKNOWN', message: 'none', details: {} }
        : null
    const browser = openBrowser(scene.gateway, scene.investor)
    const reply = await browser.call('POST', '/users/me/close', { password: PASSWORD })
    scene.gateway.ledger.answerWith = () => null
    expect(reply.status).toBe(204)
    const left = await findInvestor(scene.gateway.ledger, scene.investor.userId)
    expect(left?.available.balance).toBeGreaterThan(0n)
  })

  test('requires the password, and the second factor if the user has one', async () => {
    const person = await addPerson()
    const wrong = await closeAccount(person, 'not the one')
    expect(wrong.failure.errors).toEqual([{ password: 'This is not your current password' }])
    const app = await enrolTotp(scene.gateway, person.browser)
    scene.gateway.moveClock(16 * MINUTE_MS)
    const stale = await closeAccount(person)
    expect(stale).toMatchObject({ status: 403, failure: { code: 'STEP_UP_REQUIRED' } })
    const shown = await person.browser.call('POST', '/users/me/step_up', { code: app.getCode() })
    expect(shown.status).toBe(204)
    expect((await closeAccount(person)).status).toBe(204)
  })

  test('is not for administrators', async () => {
    const { email } = await visit(scene.gateway, 'admin')
    const browser = await logInNewBrowser(scene.gateway, email)
    const refused = await browser.call('POST', '/users/me/close', { password: PASSWORD })
    expect(refused).toMatchObject({ status: 409, failure: { code: 'STATUS_CONFLICT' } })
    expect(refused.failure.message).toContain('deleted by another administrator')
  })
})
