import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Browser,
  logIn,
  logInNewBrowser,
  openBrowser,
  visit,
} from '../../../testing/test-browser.ts'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { findDocument, storeDocument } from '../documents/document-store.ts'

let gateway: TestGateway
let admin: Browser
let adminId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const person = await visit(gateway, 'admin')
  adminId = person.userId
  admin = await logInNewBrowser(gateway, person.email)
})
afterAll(() => gateway.stop())

const deleteUser = (userId: string) => admin.call('DELETE', `/users/${userId}`)

/** Returns all columns in the database that contain this text. */
async function findTraces(text: string): Promise<readonly string[]> {
  const { sql } = await import('kysely')
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('identity', 'platform') and table_type = 'BASE TABLE'`.execute(
    gateway.db,
  )
  const found: string[] = []
  for (const { schema, name } of tables) {
    const table = sql.table(`${schema}.${name}`)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${table} as row
      where row::text ilike ${`%${text}%`}`.execute(gateway.db)
    if ((rows[0]?.n ?? 0) > 0) found.push(`${schema}.${name}`)
  }
  return found
}

async function addPerson() {
  const person = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, person.email)
  const name = `Verena Q ${person.userId}`
  const profile = { name, email: person.email, phone: '+1 555 0987', country: 'DE' }
  await browser.call('PUT', '/users/update-profile', profile)
  // Sets the name directly, as if an administrator had reviewed it.
  const named = gateway.db.updateTable('identity.user').set({ name })
  await named.where('id', '=', person.userId).execute()
  const bank = { bankName: 'B', accountNumber: '9', accountName: name, accountType: 'Others' }
  expect((await browser.call('POST', '/users/me/banks', bank)).status).toBe(201)
  return { ...person, browser, name }
}

/**
 * Stores a payment hash of the user. A payment hash is personal data, because it reveals the user's
 * wallet.
 */
async function storePaymentHash(userId: string): Promise<string> {
  const hash = `f00d${userId}`
  await gateway.db
    .insertInto('platform.deposit_hash')
    .values({ transaction_id: userId, user_id: userId, hash, created_at: new Date() })
    .execute()
  return hash
}

describe('T57 deleting a user', () => {
  test('keeps the row for the ledger and deletes all personal data from the database', async () => {
    const { userId, email, name, browser } = await addPerson()
    expect((await findTraces(name)).length).toBeGreaterThan(1)
    const hash = await storePaymentHash(userId)
    expect(await findTraces(hash)).toEqual(['platform.deposit_hash'])
    expect((await deleteUser(userId)).status).toBe(204)
    expect(await findTraces(name)).toEqual([])
    expect(await findTraces(hash)).toEqual([])
    expect(await findTraces(email.replace('@', '@'))).toEqual([])
    expect((await browser.call('GET', '/users/me')).status).toBe(401)
    expect((await logIn(openBrowser(gateway), email)).status).toBe(401)
    expect((await logIn(openBrowser(gateway), `${userId}@deleted.invalid`)).status).toBe(401)
    const row = await gateway.db
      .selectFrom('identity.user')
      .select(['name', 'deleted_at'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Deleted user', deleted_at: expect.any(Date) })
    expect(gateway.ledger.commands.at(-1)).toMatchObject({
      type: 'CloseInvestor',
      data: { investorId: userId },
    })
  })

  test('makes issued documents unreadable, and without destroying the key they stay readable', async () => {
    const { db } = gateway
    const { userId, name } = await addPerson()
    const bytes = Buffer.from(`Statement of ${name}`)
    const key = { kind: 'statement', investorId: userId, subject: '2026-10' } as const
    const stored = await storeDocument(db, { ...key, bytes, nowMs: Date.now() })
    expect(stored?.bytes).toEqual(bytes)
    const keys = db.selectFrom('person_keys.key').selectAll().where('user_id', '=', userId)
    const copied = await keys.executeTakeFirstOrThrow()
    expect((await deleteUser(userId)).status).toBe(204)
    expect(await keys.execute()).toEqual([])
    expect(await findDocument(db, key)).toBeNull()
    expect(await storeDocument(db, { ...key, bytes, nowMs: Date.now() })).toBeNull()
    // Sabotaged twin: if a restored backup still contains the key, the document of the deleted user
    // is readable.
    await db.insertInto('person_keys.key').values(copied).execute()
    expect((await findDocument(db, key))?.bytes).toEqual(bytes)
    await db.deleteFrom('person_keys.key').where('user_id', '=', userId).execute()
  })

  test('removes the bytes in an object store', async () => {
    const removed: string[] = []
    const objects = {
      put: async () => {},
      get: async () => null,
      remove: async (name: string) => void removed.push(name),
    }
    const own = await startTestGateway({ alterDeps: (deps) => ({ ...deps, objects }) })
    const boss = await logInNewBrowser(own, (await visit(own, 'admin')).email)
    const { userId } = await visit(own, 'investor')
    const id = 'ab'.repeat(32)
    await own.db
      .insertInto('platform.file')
      .values({
        id,
        owner_id: userId,
        purpose: 'receipt',
        media_type: 'image/png',
        bytes: null,
        size_bytes: 1,
        sha256: id,
        created_at: new Date(),
      })
      .execute()
    expect((await boss.call('DELETE', `/users/${userId}`)).status).toBe(204)
    expect(removed).toHaveLength(1)
    expect(removed[0]).toContain(id)
    await own.stop()
  })

  test('is refused while the account has money or requests, and then changes nothing', async () => {
    const { userId, name, browser } = await addPerson()
    gateway.ledger.answerWith = () => ({
      outcome: 'refused',
      code: 'INVESTOR_NOT_EMPTY',
      message: 'The account still has money, a pending request or a running investment',
      details: {},
    })
    const refused = await deleteUser(userId)
    gateway.ledger.answerWith = () => null
    expect(refused).toMatchObject({ status: 409, failure: { code: 'INVESTOR_NOT_EMPTY' } })
    expect((await browser.call('GET', '/users/me')).body.data).toMatchObject({ user: { name } })
  })

  test('is not possible for oneself, and not twice', async () => {
    expect(await deleteUser(adminId)).toMatchObject({
      status: 409,
      failure: { code: 'STATUS_CONFLICT' },
    })
    const { userId } = await addPerson()
    expect((await deleteUser(userId)).status).toBe(204)
    expect((await deleteUser(userId)).status).toBe(404)
    const list = await admin.call('GET', '/users')
    expect(JSON.stringify(list.body)).not.toContain(userId)
  })

  test('sabotaged twin: a trace that is left is found', async () => {
    const { userId, name } = await addPerson()
    await deleteUser(userId)
    await gateway.db
      .updateTable('identity.user')
      .set({ town_city: name })
      .where('id', '=', userId)
      .execute()
    expect(await findTraces(name)).toEqual(['identity.user'])
  })
})

describe('T57 before the real ledger', () => {
  test('is refused with a cent in the wallet, and possible without', async () => {
    const own = await startTestGateway()
    const people = { role: 'user', status: 'pending' } as const
    const [rich, poor] = [await addUser(own, people), await addUser(own, people)]
    const bossId = await addUser(own, { role: 'admin', status: 'active' })
    const boss = await logInNewBrowser(own, `${bossId}@example.com`)
    for (const id of [rich, poor]) {
      const reply = await boss.call('PATCH', `/users/${id}/status`, { status: 'approve' })
      expect(reply.status).toBe(200)
    }
    const cent = { wallet_type: 'balance', amount: 0.01, category: 'c', reason: 'r' }
    expect((await boss.call('PATCH', `/users/${rich}/wallets`, cent)).status).toBe(200)
    const refused = await boss.call('DELETE', `/users/${rich}`)
    expect(refused).toMatchObject({ status: 409, failure: { code: 'INVESTOR_NOT_EMPTY' } })
    expect((await boss.call('DELETE', `/users/${poor}`)).status).toBe(204)
    const { investors } = await own.ledger.ask('investors', { investorIds: [rich, poor] })
    expect(investors.map(({ standing }) => standing)).toEqual(['active', 'closed'])
    await own.stop()
  })
})

describe('the last administrators', () => {
  test('do not both succeed if they remove each other at once', async () => {
    for (const [method, suffix, body] of [
      ['DELETE', '', {}],
      ['PATCH', '/status', { status: 'deactivate' }],
    ] as const) {
      const own = await startTestGateway()
      const people = [await visit(own, 'admin'), await visit(own, 'admin')] as const
      const browsers = await Promise.all(people.map(({ email }) => logInNewBrowser(own, email)))
      const replies = await Promise.all(
        browsers.map((browser, index) => {
          const other = people[1 - index]?.userId
          return browser.call(method, `/users/${other}${suffix}`, body)
        }),
      )
      const left = await own.db
        .selectFrom('identity.user')
        .select('id')
        .where('role', '=', 'admin')
        .where('status', '=', 'active')
        .execute()
      expect(replies.every(({ status }) => status < 500)).toBe(true)
      expect(left.length).toBeGreaterThanOrEqual(1)
      await own.stop()
    }
  })
})
