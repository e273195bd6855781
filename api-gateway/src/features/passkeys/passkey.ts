import { randomBytes } from 'node:crypto'
import { PASSKEYS_MAX, type Passkey } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import type { Selectable } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'

export type PasskeyRow = Selectable<Tables['identity.passkey']>

const HANDLE_BYTES = 32

export function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    _id: row.id,
    name: row.name,
    isSynced: row.is_synced,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}

export async function listPasskeyRows(
  db: Database,
  userId: string,
): Promise<readonly PasskeyRow[]> {
  return await db
    .selectFrom('identity.passkey')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function refuseTooManyPasskeys(rows: readonly PasskeyRow[]): void {
  if (rows.length < PASSKEYS_MAX) return
  const message = 'You have too many passkeys. Remove one first.'
  throw new HttpFailure(409, 'PASSKEY_LIMIT', message)
}

/** Returns the passkey with this credential id, with the user handle of its owner. */
export async function findByCredential(
  db: Database,
  credentialId: string,
): Promise<(PasskeyRow & { handle: Buffer }) | null> {
  const row = await db
    .selectFrom('identity.passkey as passkey')
    .innerJoin('identity.passkey_handle as owner', 'owner.user_id', 'passkey.user_id')
    .selectAll('passkey')
    .select('owner.handle')
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the user handle, which identifies the user to authenticators. Creates the handle if the
 * user has no handle yet.
 */
export async function getOrCreateHandle(db: Database, userId: string): Promise<Buffer> {
  const row = await db
    .insertInto('identity.passkey_handle')
    .values({ user_id: userId, handle: randomBytes(HANDLE_BYTES) })
    // This update changes nothing, but makes the statement return an existing row.
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning('handle')
    .executeTakeFirstOrThrow()
  return row.handle
}

export interface NewPasskey {
  userId: string
  name: string
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: readonly string[]
  isSynced: boolean
  nowMs: number
}

/** Stores a passkey. Returns null if any user has already registered the credential. */
export async function insertPasskey(db: Database, made: NewPasskey): Promise<PasskeyRow | null> {
  const row = await db
    .insertInto('identity.passkey')
    .values({
      id: createId(made.nowMs),
      user_id: made.userId,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      sign_count: String(made.signCount),
      transports: [...made.transports],
      name: made.name,
      is_synced: made.isSynced,
      created_at: new Date(made.nowMs),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Stores the new counter. Returns false if another request has used the passkey since the row was
 * read.
 */
export async function recordPasskeyUse(
  db: Database,
  use: { row: PasskeyRow; signCount: number; isSynced: boolean; nowMs: number },
): Promise<boolean> {
  const { row, signCount, isSynced, nowMs } = use
  const updated = await db
    .updateTable('identity.passkey')
    .set({
      sign_count: String(signCount),
      is_synced: isSynced,
      last_used_at: new Date(nowMs),
    })
    .where('id', '=', row.id)
    .where('sign_count', '=', row.sign_count)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Renames a passkey of the user. Throws 404 for a passkey of another user. */
export async function renamePasskeyRow(
  db: Database,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<PasskeyRow> {
  const row = await db
    .updateTable('identity.passkey')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw createPasskeyNotFoundFailure()
  return row
}

export async function deletePasskeyRow(
  trx: Database,
  { userId, id }: { userId: string; id: string },
): Promise<PasskeyRow> {
  const row = await trx
    .deleteFrom('identity.passkey')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw createPasskeyNotFoundFailure()
  return row
}

function createPasskeyNotFoundFailure(): HttpFailure {
  return createNotFoundFailure('There is no such passkey')
}
