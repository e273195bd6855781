import {
  ANNOUNCEMENT_KINDS,
  ANNOUNCEMENT_PAUSE_HOURS,
  type AnnouncementKind,
  type Audience,
  CONSENTS,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

const HOUR_MS = 3_600_000

/**
 * Selects the ids of the people who receive an announcement: active investors who have switched on
 * its kind. A person without stored preferences has switched on nothing.
 */
export function selectAudience(db: Pick<Database, 'selectFrom'>, kind: AnnouncementKind) {
  return db
    .selectFrom('identity.user as person')
    .innerJoin('platform.preference as preference', 'preference.user_id', 'person.id')
    .select('person.id as user_id')
    .where('person.role', '=', 'user')
    .where('person.status', '=', 'active')
    .where('person.deleted_at', 'is', null)
    .where(sql<boolean>`preference.content -> ${CONSENTS[kind]} = 'true'::jsonb`)
}

export async function readAudiences(db: Database, nowMs: number): Promise<Audience[]> {
  return Promise.all(ANNOUNCEMENT_KINDS.map((kind) => readAudience(db, { kind, nowMs })))
}

export async function readAudience(
  db: Database,
  { kind, nowMs }: { kind: AnnouncementKind; nowMs: number },
): Promise<Audience> {
  const { recipients } = await db
    .selectFrom(selectAudience(db, kind).as('audience'))
    .select(sql<number>`count(*)::int`.as('recipients'))
    .executeTakeFirstOrThrow()
  const nextAt = await findNextTime(db, { kind, nowMs })
  return { kind, recipients, nextAt: nextAt?.toISOString() ?? null }
}

/** Returns the time from which the kind can be sent again; null if it can be sent now. */
export async function findNextTime(
  db: Database,
  { kind, nowMs }: { kind: AnnouncementKind; nowMs: number },
): Promise<Date | null> {
  const newest = await db
    .selectFrom('platform.announcement')
    .select('sent_at')
    .where('kind', '=', kind)
    .orderBy('sent_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest === undefined) return null
  const nextMs = newest.sent_at.getTime() + ANNOUNCEMENT_PAUSE_HOURS * HOUR_MS
  return nextMs > nowMs ? new Date(nextMs) : null
}
