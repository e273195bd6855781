import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { CHALLENGE_SECONDS } from '../sessions/index.ts'

/**
 * Stores that the user has entered a correct password but not yet the second factor. A cookie
 * identifies the browser.
 */
export async function openChallenge(
  db: Database,
  challenge: { tokenHash: Buffer; userId: string; isRemembered: boolean; nowMs: number },
): Promise<void> {
  const { tokenHash, userId, isRemembered, nowMs } = challenge
  await db
    .deleteFrom('identity.login_challenge')
    .where('user_id', '=', userId)
    .where('expires_at', '<', new Date(nowMs))
    .execute()
  await db
    .insertInto('identity.login_challenge')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      is_remembered: isRemembered,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + CHALLENGE_SECONDS * 1_000),
    })
    .execute()
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
  const message = 'This login is no longer valid. Please log in again.'
  throw new HttpFailure(401, 'MFA_LOGIN_EXPIRED', message)
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
