import { RESET_LINK_MINUTES } from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { createToken, hashToken } from '../sessions/index.ts'

const MINUTE_MS = 60_000
/**
 * The lifetime, in minutes, of a set-up link that a server command or an invitation creates
 * for an administrator.
 */
const SETUP_LINK_MINUTES = 24 * 60

export interface Link {
  purpose: 'reset' | 'setup'
  /**
   * The user who sets a password; null for the first administrator, who also enters name and
   * email.
   */
  userId: string | null
}

/**
 * Creates a link that can be used once: a set-up link within a day, every other link within 30
 * minutes. Earlier links of the user become invalid.
 */
export async function issueLink(
  db: Database,
  link: Link & { nowMs: number },
): Promise<{ token: string; path: string }> {
  const { purpose, userId, nowMs } = link
  const minutes = purpose === 'reset' ? RESET_LINK_MINUTES : SETUP_LINK_MINUTES
  const token = createToken()
  await revokeLinks(db, userId)
  await db
    .insertInto('identity.link_token')
    .values({
      token_hash: hashToken(token),
      purpose,
      user_id: userId,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + minutes * MINUTE_MS),
    })
    .execute()
  return { token, path: `/users/resetPassword#token=${token}` }
}

export async function findLink(
  db: Database,
  { token, nowMs }: { token: string; nowMs: number },
): Promise<Link> {
  const row = await db
    .selectFrom('identity.link_token')
    .select(['purpose', 'user_id'])
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst()
  if (row === undefined) throw createLinkExpiredFailure()
  return { purpose: row.purpose, userId: row.user_id }
}

/** Marks the link as used and returns it. Only one of two concurrent requests succeeds. */
export async function redeemLink(
  trx: Database,
  { token, nowMs }: { token: string; nowMs: number },
): Promise<Link> {
  const row = await trx
    .updateTable('identity.link_token')
    .set({ used_at: new Date(nowMs) })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .returning(['purpose', 'user_id'])
    .executeTakeFirst()
  if (row === undefined) throw createLinkExpiredFailure()
  return { purpose: row.purpose, userId: row.user_id }
}

export async function revokeLinks(db: Database, userId: string | null): Promise<void> {
  await db
    .deleteFrom('identity.link_token')
    .where('user_id', 'is not distinct from', userId)
    .execute()
}

function createLinkExpiredFailure(): HttpFailure {
  const message = 'This link is no longer valid. Please ask for a new link.'
  return new HttpFailure(400, 'LINK_EXPIRED', message)
}
