import {
  ANNOUNCEMENT_PAUSE_HOURS,
  type AnnouncementContent,
  type AnnouncementKind,
} from '@cairn/gateway-contracts'
import { type Selectable, sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { formatSiteTime } from '../../platform/site-format.ts'
import { findNextTime, selectAudience } from './audience.ts'

export type AnnouncementRow = Selectable<Tables['platform.announcement']>

export const KIND_NAMES: Readonly<Record<AnnouncementKind, string>> = {
  'promotional-offer': 'promotional offer',
  'market-update': 'market update',
}

/** Time limit of the statement that stores a row for each recipient. */
const INSERT_SECONDS = 60

interface NewAnnouncement extends AnnouncementContent {
  id: string
  sentBy: string
  nowMs: number
}

/**
 * Stores the announcement and one mail for each recipient; the worker queues the mails. The same id
 * is stored once. Throws if the kind was sent recently or has no recipients.
 */
export async function storeAnnouncement(
  trx: DatabaseTransaction,
  announcement: NewAnnouncement,
): Promise<AnnouncementRow> {
  const { id, kind, nowMs } = announcement
  // The lock prevents two administrators from sending the same kind at the same time.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`announcement ${kind}`}, 0))`.execute(
    trx,
  )
  const known = await trx
    .selectFrom('platform.announcement')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (known !== undefined) return known
  const nextAt = await findNextTime(trx, { kind, nowMs })
  if (nextAt !== null) throw createRecentFailure(kind, nextAt)
  // The limit of other statements is too short for a large audience, also when it is repeated.
  await sql`set local statement_timeout = ${sql.lit(`${INSERT_SECONDS}s`)}`.execute(trx)
  const row = await insertWithMails(trx, announcement)
  if (row !== null) return row
  throw new HttpFailure(409, 'NO_RECIPIENTS', 'No active person has switched on these emails')
}

/**
 * Inserts the announcement and its mails in one statement, so that both have the same recipients.
 * Returns null if there are none.
 */
async function insertWithMails(
  trx: DatabaseTransaction,
  { id, kind, subject, text, sentBy, nowMs }: NewAnnouncement,
): Promise<AnnouncementRow | null> {
  const row = await trx
    .with('audience', (db) => selectAudience(db, kind))
    .with('sent', (db) =>
      db
        .insertInto('platform.announcement')
        .columns(['id', 'kind', 'subject', 'body', 'sent_by', 'sent_at', 'recipients'])
        .expression(
          db
            .selectFrom('audience')
            .select([
              sql<string>`${id}::text`.as('id'),
              sql<string>`${kind}::text`.as('kind'),
              sql<string>`${subject}::text`.as('subject'),
              sql<string>`${text}::text`.as('body'),
              sql<string>`${sentBy}::text`.as('sent_by'),
              sql<Date>`${new Date(nowMs)}::timestamptz`.as('sent_at'),
              sql<number>`count(*)::int`.as('recipients'),
            ])
            .having(sql<boolean>`count(*) > 0`),
        )
        .returningAll(),
    )
    .with('mails', (db) =>
      db
        .insertInto('platform.announcement_mail')
        .columns(['announcement_id', 'user_id'])
        .expression(
          db
            .selectFrom('audience')
            .innerJoin('sent', (join) => join.onTrue())
            .select(['sent.id as announcement_id', 'audience.user_id']),
        ),
    )
    .selectFrom('sent')
    .selectAll()
    .executeTakeFirst()
  return row ?? null
}

function createRecentFailure(kind: AnnouncementKind, nextAt: Date): HttpFailure {
  return new HttpFailure(
    409,
    'ANNOUNCED_RECENTLY',
    `Each kind can be sent once in ${ANNOUNCEMENT_PAUSE_HOURS} hours. The next ${KIND_NAMES[kind]} can be sent from ${formatSiteTime(nextAt)}.`,
  )
}
