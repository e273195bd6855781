import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMailReader } from '../../../testing/sent-mail.ts'
import { createUserRow } from '../../../testing/user-row.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { destroyPersonKey, openForPerson, sealForPerson } from './person-key.ts'

const ADA = '0123456789abcdefghjk'
const BEN = '0123456789abcdefghjm'
const CAL = '0123456789abcdefghjn'
const TEXT = Buffer.from('Statement of Ada Example')
const nowMs = Date.now()

let database: TestDatabase
let gateway: Database
let worker: Database
beforeAll(async () => {
  database = await createTestDatabase()
  gateway = openAs('cairn_gateway')
  worker = openAs('cairn_gateway_worker')
})
afterAll(async () => {
  await Promise.all([gateway?.destroy(), worker?.destroy()])
  await database?.drop()
})

function openAs(role: string): Database {
  return openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
}

async function sealText(db: Database, userId: string): Promise<Buffer> {
  const sealed = await sealForPerson(db, { userId, bytes: TEXT, nowMs })
  if (sealed === null) throw new Error(`${userId} has a key`)
  return sealed
}

test('the gateway opens the data that the worker sealed, until the key is deleted', async () => {
  await addMailReader(gateway, ADA)
  const sealed = await Promise.all(Array.from({ length: 5 }, () => sealText(worker, ADA)))
  for (const each of sealed) {
    expect(each.includes(TEXT)).toBe(false)
    expect(await openForPerson(gateway, { userId: ADA, sealed: each })).toEqual(TEXT)
  }
  await gateway.transaction().execute(async (trx) => {
    await trx.updateTable('identity.user').set({ deleted_at: new Date() }).execute()
    await destroyPersonKey(trx, { userId: ADA, erasedAt: new Date() })
  })
  for (const each of sealed) {
    expect(await openForPerson(gateway, { userId: ADA, sealed: each })).toBeNull()
  }
  // A key is never created for a deleted person, even if a backup has restored the user's row.
  expect(await sealForPerson(worker, { userId: ADA, bytes: TEXT, nowMs })).toBeNull()
  await gateway.updateTable('identity.user').set({ deleted_at: null }).execute()
  expect(await sealForPerson(worker, { userId: ADA, bytes: TEXT, nowMs })).toBeNull()
})

test('a changed document, or a document of another person, cannot be opened', async () => {
  const row = { role: 'user', status: 'active', passwordHash: '-', now: new Date() } as const
  for (const id of [BEN, CAL]) {
    await gateway
      .insertInto('identity.user')
      .values(createUserRow({ ...row, id }))
      .execute()
  }
  const sealed = await sealText(gateway, CAL)
  await sealText(gateway, BEN)
  await expect(openForPerson(gateway, { userId: BEN, sealed })).rejects.toThrow()
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  await expect(openForPerson(gateway, { userId: CAL, sealed: changed })).rejects.toThrow()
  expect(await sealForPerson(gateway, { userId: createId(nowMs), bytes: TEXT, nowMs })).toBeNull()
})

test('no service can change a key', async () => {
  for (const db of [gateway, worker]) {
    const change = db.updateTable('person_keys.key').set({ key: Buffer.alloc(32) })
    await expect(change.execute()).rejects.toThrow(/permission denied/)
  }
})

test('no one removes a deleted person from the list, and only the role of its backup reads it', async () => {
  const superuser = openDatabase({ url: database.url, applicationName: 'test', onError: () => {} })
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from person_keys.erasure`.execute(superuser)
  expect(rows).toEqual([{ n: 1 }])
  await expect(superuser.deleteFrom('person_keys.erasure').execute()).rejects.toThrow(/append-only/)
  await superuser.destroy()
  const countKeys = async (role: string) => {
    const db = openAs(role)
    try {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from person_keys.key`.execute(db)
      return rows[0]?.n
    } finally {
      await db.destroy()
    }
  }
  await expect(countKeys('cairn_backup')).rejects.toThrow(/permission denied/)
  expect(await countKeys('cairn_key_backup')).toBeGreaterThan(0)
})
