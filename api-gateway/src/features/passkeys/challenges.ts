import { PASSKEY_MINUTES } from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'

export type Purpose = 'enrol' | 'login' | 'step-up'

interface Place {
  /**
   * SHA-256 of the session token; before a login, SHA-256 of a cookie that identifies the browser.
   */
  browserHash: Buffer
  purpose: Purpose
  nowMs: number
}

/** Stores a challenge. It replaces the previous challenge of this browser with the same purpose. */
export async function storeChallenge(
  db: Database,
  { browserHash, purpose, challenge, nowMs }: Place & { challenge: string },
): Promise<void> {
  await db
    .deleteFrom('identity.passkey_challenge')
    .where('expires_at', '<', new Date(nowMs))
    .execute()
  const row = { challenge, expires_at: new Date(nowMs + PASSKEY_MINUTES * 60_000) }
  await db
    .insertInto('identity.passkey_challenge')
    .values({ browser_hash: browserHash, purpose, ...row })
    .onConflict((conflict) => conflict.columns(['browser_hash', 'purpose']).doUpdateSet(row))
    .execute()
}

/**
 * Returns and deletes the challenge. The deletion precedes the check of the answer, so that a
 * challenge can be answered only once.
 */
export async function redeemChallenge(
  db: Database,
  { browserHash, purpose, nowMs }: Omit<Place, 'browserHash'> & { browserHash: Buffer | null },
): Promise<string> {
  const row =
    browserHash === null
      ? undefined
      : await db
          .deleteFrom('identity.passkey_challenge')
          .where('browser_hash', '=', browserHash)
          .where('purpose', '=', purpose)
          .where('expires_at', '>', new Date(nowMs))
          .returning('challenge')
          .executeTakeFirst()
  if (row !== undefined) return row.challenge
  throw new HttpFailure(400, 'PASSKEY_EXPIRED', 'That took too long. Please try again.')
}
