import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logInNewBrowser, visit } from '../../../testing/test-browser.ts'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { findDocument, storeDocument } from '../documents/document-store.ts'
import { repeatErasures, requireErasures } from './repeat-erasures.ts'

let gateway: TestGateway
let superuser: pg.Client
beforeAll(async () => {
  gateway = await startTestGateway()
  superuser = new pg.Client({ connectionString: gateway.databaseUrl })
  await superuser.connect()
})
afterAll(async () => {
  await superuser?.end()
  await gateway?.stop()
})

const SITE = ['identity', 'platform']
const KEYS = ['person_keys']

/**
 * Lists the tables of a backup, without the audit log. The database refuses to replace the audit
 * log with an older copy.
 */
async function listTables(schemas: readonly string[]): Promise<readonly string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = any($1) and tablename not in ('audit', 'erasure') order by 1`,
    [schemas],
  )
  return rows.map(({ name }) => name)
}

/** Copies the tables of the schemas, as `pg_dump` does with one option for each schema. */
async function copyTables(schemas: readonly string[]): Promise<void> {
  await superuser.query('drop schema if exists backup cascade; create schema backup')
  for (const name of await listTables(schemas)) {
    await superuser.query(`create table backup.${pg.escapeIdentifier(name)} as table ${name}`)
  }
}

/** Replaces the content of the tables with their content in the backup. */
async function restoreTables(schemas: readonly string[]): Promise<void> {
  // This setting disables triggers and the checks of foreign keys, as `pg_restore
  // --disable-triggers` does.
  await superuser.query('begin; set local session_replication_role = replica')
  for (const name of await listTables(schemas)) {
    await superuser.query(
      `delete from ${name}; insert into ${name} select * from backup.${pg.escapeIdentifier(name)}`,
    )
  }
  await superuser.query('commit')
}

const STATEMENT = { kind: 'statement', subject: '2026-10' } as const

async function addPerson(): Promise<{ userId: string; name: string }> {
  const userId = await addUser(gateway, { role: 'user', status: 'active' })
  const name = `Verena Quint ${userId}`
  const named = gateway.db.updateTable('identity.user').set({ name, phone: '+1 555 0987' })
  await named.where('id', '=', userId).execute()
  const document = { ...STATEMENT, investorId: userId, bytes: Buffer.from(name) }
  await storeDocument(gateway.db, { ...document, nowMs: Date.now() })
  return { userId, name }
}

async function deletePerson(userId: string): Promise<void> {
  const { email } = await visit(gateway, 'admin')
  const admin = await logInNewBrowser(gateway, email)
  expect((await admin.call('DELETE', `/users/${userId}`)).status).toBe(204)
}

async function readPerson(userId: string) {
  const { name, phone, deleted_at } = await gateway.db
    .selectFrom('identity.user')
    .select(['name', 'phone', 'deleted_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const document = await findDocument(gateway.db, { ...STATEMENT, investorId: userId })
  const statement = document === null ? null : document.bytes.toString()
  return { name, phone, isDeleted: deleted_at !== null, statement }
}

const ERASED = { name: 'Deleted user', phone: '', isDeleted: true, statement: null }

test('a person who was deleted after the backup is deleted again when a gateway starts', async () => {
  const { db, deps } = gateway
  const [{ userId, name }, other] = [await addPerson(), await addPerson()]
  await copyTables(SITE)
  await deletePerson(userId)
  expect(await readPerson(userId)).toEqual(ERASED)
  await restoreTables(SITE)
  // Sabotaged twin: if the erasure is not repeated after the restore, the profile is readable. The
  // statement remains unreadable, because the backup of the site does not contain the key.
  const returned = { name, phone: '+1 555 0987', isDeleted: false, statement: null }
  expect(await readPerson(userId)).toEqual(returned)
  await expect(requireErasures(db)).rejects.toThrow('contains 1 deleted people')

  expect(await repeatErasures(deps, Date.now())).toBe(1)
  expect(await readPerson(userId)).toEqual(ERASED)
  await requireErasures(db)
  expect(await repeatErasures(deps, Date.now())).toBe(0)
  const kept = { name: other.name, phone: '+1 555 0987', isDeleted: false, statement: other.name }
  expect(await readPerson(other.userId)).toEqual(kept)
})

test('sabotaged twin: with the keys in the backup of the site, the statement is readable until the repetition', async () => {
  const { userId, name } = await addPerson()
  await copyTables([...SITE, ...KEYS])
  await deletePerson(userId)
  await restoreTables([...SITE, ...KEYS])
  expect(await readPerson(userId)).toMatchObject({ name, statement: name })
  expect(await repeatErasures(gateway.deps, Date.now())).toBe(1)
  expect(await readPerson(userId)).toEqual(ERASED)
})
