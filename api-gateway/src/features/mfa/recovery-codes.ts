import { createHash, randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = 16

/**
 * Replaces all recovery codes and returns the new codes. Only their hashes are stored. The hashes
 * need no key, because a code has 80 random bits.
 */
export async function replaceRecoveryCodes(
  trx: Database,
  userId: string,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createCode)
  await trx.deleteFrom('identity.recovery_code').where('user_id', '=', userId).execute()
  const rows = codes.map((code) => ({
    user_id: userId,
    code_hash: hashCode(userId, code),
  }))
  await trx.insertInto('identity.recovery_code').values(rows).execute()
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'))
}

/** Marks a code as used. Returns false if the code is wrong or already used. */
export async function redeemRecoveryCode(
  db: Database,
  use: { userId: string; code: string; nowMs: number },
): Promise<boolean> {
  const taken = await db
    .updateTable('identity.recovery_code')
    .set({ used_at: new Date(use.nowMs) })
    .where('user_id', '=', use.userId)
    .where('code_hash', '=', hashCode(use.userId, use.code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('identity.recovery_code')
    .select(sql<number>`count(*)::int`.as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

function createCode(): string {
  return Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % 32]).join('')
}

function hashCode(userId: string, code: string): Buffer {
  return createHash('sha256').update(`recovery-code!${userId}!${code}`).digest()
}
