import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../database/database.ts'
import { decrypt, encrypt } from '../keys/aes-gcm.ts'

const KEY_BYTES = 32

/**
 * Encrypts personal data with the key of the person; null if the person is deleted. Deleting the
 * key makes all of this data unreadable.
 */
export async function sealForPerson(
  db: Database,
  { userId, bytes, nowMs }: { userId: string; bytes: Buffer; nowMs: number },
): Promise<Buffer | null> {
  const key = (await findPersonKey(db, userId)) ?? (await createKey(db, { userId, nowMs }))
  return key === null ? null : encrypt({ key, context: userId }, bytes)
}

/**
 * Decrypts the data of a person; null if the key is deleted. Throws if the data was changed or
 * belongs to another person.
 */
export async function openForPerson(
  db: Database,
  { userId, sealed }: { userId: string; sealed: Buffer },
): Promise<Buffer | null> {
  const key = await findPersonKey(db, userId)
  return key === null ? null : decrypt({ key, context: userId }, sealed)
}

/**
 * Deletes the key and the sealed texts, and records the deletion in the schema of the keys. A
 * restored backup of the site does not remove this record. Runs in the transaction that marks the
 * user as deleted.
 */
export async function destroyPersonKey(
  trx: DatabaseTransaction,
  { userId, erasedAt }: { userId: string; erasedAt: Date },
): Promise<void> {
  await trx.deleteFrom('identity.private_text').where('user_id', '=', userId).execute()
  await trx.deleteFrom('person_keys.key').where('user_id', '=', userId).execute()
  await trx
    .insertInto('person_keys.erasure')
    .values({ user_id: userId, erased_at: erasedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findPersonKey(db: Database, userId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('person_keys.key')
    .select('key')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.key ?? null
}

/**
 * Creates the key of a person. If several calls create it at once, all calls return the same key.
 */
async function createKey(
  db: Database,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<Buffer | null> {
  // `for share` waits for a concurrent deletion of the user. After a deletion, no row is inserted.
  await sql`
    insert into person_keys.key (user_id, key, created_at)
    select id, ${randomBytes(KEY_BYTES)}, ${new Date(nowMs)} from identity.user
    where id = ${userId} and deleted_at is null
      and id not in (select user_id from person_keys.erasure)
    for share
    on conflict do nothing`.execute(db)
  return findPersonKey(db, userId)
}
