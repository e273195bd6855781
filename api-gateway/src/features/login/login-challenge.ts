import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { CHALLENGE_SECONDS, requireSameCredentials } from '../sessions/index.ts'
import type { UserRow } from '../users/index.ts'

/**
 * Stores that the user has entered a correct password but not yet the second factor. A cookie
 * identifies the browser. Throws the given failure if the password has changed since `user` was
 * read.
 */
export async function openChallenge(
  db: Database,
  challenge: {
    tokenHash: Buffer
    user: Pick<UserRow, 'id' | 'password_changed_at'>
    isRemembered: boolean
    nowMs: number
    createFailure: () => HttpFailure
  },
): Promise<void> {
  const { tokenHash, user, isRemembered, nowMs, createFailure } = challenge
  const { id: userId } = user
  const passwordChangedAtMs = user.password_changed_at.getTime()
  await db.transaction().execute(async (trx) => {
    await requireSameCredentials(trx, { userId, passwordChangedAtMs }, createFailure)
    await trx
      .deleteFrom('identity.login_challenge')
      .where('user_id', '=', userId)
      .where('expires_at', '<', new Date(nowMs))
      .execute()
    await trx
      .insertInto('identity.login_challenge')
      .values({
        token_hash: tokenHash,
        user_id: userId,
        is_remembered: isRemembered,
        created_at: new Date(nowMs),
        expires_at: new Date(nowMs + CHALLENGE_SECONDS * 1_000),
      })
      .execute()
  })
}

/**
 * Returns the user who has entered a correct password. If `isLast` is true, deletes the challenge,
 * so that only one of two concurrent requests succeeds.
 */
export async function redeemChallenge(
  db: Database,
  challenge: { tokenHash: Buffer | null; nowMs: number; isLast: boolean },
): Promise<{ userId: string; isRemembered: boolean }> {
  const { tokenHash, nowMs, isLast } = challenge
  const row =
    tokenHash === null ? undefined : await findOrDeleteChallenge(db, { tokenHash, nowMs, isLast })
  if (row !== undefined) return { userId: row.user_id, isRemembered: row.is_remembered }
  throw createLoginExpiredFailure()
}

export function createLoginExpiredFailure(): HttpFailure {
  const message = 'This login is no longer valid. Please log in again.'
  return new HttpFailure(401, 'MFA_LOGIN_EXPIRED', message)
}

async function findOrDeleteChallenge(
  db: Database,
  { tokenHash, nowMs, isLast }: { tokenHash: Buffer; nowMs: number; isLast: boolean },
) {
  const now = new Date(nowMs)
  if (isLast) {
    return await db
      .deleteFrom('identity.login_challenge')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .returning(['user_id', 'is_remembered'])
      .executeTakeFirst()
  }
  return await db
    .selectFrom('identity.login_challenge')
    .select(['user_id', 'is_remembered'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}
