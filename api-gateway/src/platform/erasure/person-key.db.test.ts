import { newId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addReader } from '../../../testing/sent-mail.ts'
import { createUserRow } from '../../../testing/user-row.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { destroyPersonKey, openForPerson, sealForPerson } from './person-key.ts'

const ADA = '0123456789abcdefghjk'
const BEN = '0123456789abcdefghjm'
const TEXT = Buffer.from('Statement of Ada Example')
const nowMs = Date.now()

let database: TestDatabase
let gateway: Database
let worker: Database
beforeAll(async () => {
  database = await createTestDatabase()
  const openAs = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  gateway = openAs('cairn_gateway')
  worker = openAs('cairn_gateway_worker')
})
afterAll(async () => {
  await Promise.all([gateway?.destroy(), worker?.destroy()])
  await database?.drop()
})

async function sealText(db: Database, userId: string): Promise<Buffer> {
  const sealed = await sealForPerson(db, { userId, bytes: TEXT, nowMs })
  if (sealed === null) throw new Error(`${userId} has a key`)
  return sealed
}

test('what the worker seals at several places the gateway opens, until the key is destroyed', async () => {
  await addReader(gateway, ADA)
  const sealed = await Promise.all(Array.from({ length: 5 }, () => sealText(worker, ADA)))
  for (const each of sealed) {
    expect(each.includes(TEXT)).toBe(false)
    expect(await openForPerson(gateway, { userId: ADA, sealed: each })).toEqual(TEXT)
  }
  await gateway.transaction().execute(async (trx) => {
    await trx.updateTable('identity.user').set({ deleted_at: new Date() }).execute()
    await destroyPersonKey(trx, ADA)
  })
  for (const each of sealed) {
    expect(await openForPerson(gateway, { userId: ADA, sealed: each })).toBeNull()
  }
  // A key is never created for a deleted person.
  expect(await sealForPerson(worker, { userId: ADA, bytes: TEXT, nowMs })).toBeNull()
})

test('a document of another person, or a changed one, cannot be opened', async () => {
  await gateway.updateTable('identity.user').set({ deleted_at: null }).execute()
  await sealText(gateway, ADA)
  const sealed = await sealText(gateway, ADA)
  const row = {
    id: BEN,
    role: 'user',
    status: 'active',
    passwordHash: '-',
    now: new Date(),
  } as const
  await gateway.insertInto('identity.user').values(createUserRow(row)).execute()
  await sealText(gateway, BEN)
  await expect(openForPerson(gateway, { userId: BEN, sealed })).rejects.toThrow()
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  await expect(openForPerson(gateway, { userId: ADA, sealed: changed })).rejects.toThrow()
  expect(await sealForPerson(gateway, { userId: newId(nowMs), bytes: TEXT, nowMs })).toBeNull()
})

test('no service can change a key', async () => {
  for (const db of [gateway, worker]) {
    const change = db.updateTable('identity.person_key').set({ key: Buffer.alloc(32) })
    await expect(change.execute()).rejects.toThrow(/permission denied/)
  }
})
