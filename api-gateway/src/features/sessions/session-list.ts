import { createHash } from 'node:crypto'
import type { Session } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import type { Columns } from '../../platform/http/list-export.ts'

const ID_CHARACTERS = 24

/** The columns of every export of sessions. */
export const SESSION_COLUMNS: Columns<Session> = {
  Browser: ({ userAgent }) => userAgent,
  Address: ({ ip }) => ip,
  Remembered: ({ isRemembered }) => isRemembered,
  'This session': ({ isCurrent }) => isCurrent,
  Begun: ({ createdAt }) => createdAt,
  'Last used': ({ lastSeenAt }) => lastSeenAt,
  Expires: ({ expiresAt }) => expiresAt,
}

export async function listSessions(
  db: Database,
  person: { userId: string; sessionHash: string; nowMs: number },
): Promise<readonly Session[]> {
  const now = new Date(person.nowMs)
  const rows = await db
    .selectFrom('identity.session')
    .selectAll()
    .where('user_id', '=', person.userId)
    .where('expires_at', '>', now)
    .where(sql<boolean>`last_seen_at + idle_seconds * interval '1 second' > ${now}`)
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => {
    const id = deriveSessionId(row.token_hash)
    return {
      id,
      _id: id,
      isCurrent: row.token_hash.toString('hex') === person.sessionHash,
      isRemembered: row.is_remembered,
      ip: row.ip,
      userAgent: row.user_agent,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    }
  })
}

/** Ends one session of the user. Throws 404 for a session of another user, as for an unknown id. */
export async function endOneSession(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const rows = await db
    .selectFrom('identity.session')
    .select('token_hash')
    .where('user_id', '=', userId)
    .execute()
  const found = rows.find(({ token_hash }) => deriveSessionId(token_hash) === id)
  if (found === undefined) throw createNotFoundFailure('There is no such session')
  await db.deleteFrom('identity.session').where('token_hash', '=', found.token_hash).execute()
}

export async function isRemembered(db: Database, sessionHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('identity.session')
    .select('is_remembered')
    .where('token_hash', '=', Buffer.from(sessionHash, 'hex'))
    .executeTakeFirst()
  return row?.is_remembered ?? false
}

/** Returns an id of a session for the API. The token hash cannot be computed from this id. */
function deriveSessionId(tokenHash: Buffer): string {
  const hash = createHash('sha256').update('session id').update(tokenHash).digest('hex')
  return hash.slice(0, ID_CHARACTERS)
}
