import { AnnouncementKind, type Notification } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { PgBoss } from 'pg-boss'
import type { Database } from '../../platform/database/database.ts'
import { createJobId } from '../../platform/jobs/job-id.ts'
import { publishChange } from '../../platform/live/published-change.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from '../../platform/mail/mail-job.ts'
import { MAIL_KINDS } from '../../platform/mail/mail-kinds.ts'

const MAILS_PER_RUN = 500
/** Mails of announcements are sent after all other mails, because many of them wait together. */
const PRIORITY = -10
/** The longest part of an announcement in the notification centre. The mail has the whole text. */
const EXCERPT_CHARACTERS = 300
/** The nearest kind that pages of the previous release know. */
const KIND: Notification['kind'] = 'investment'

/**
 * Notifies recipients of announcements and queues their mails. A repetition after a crash creates
 * the same notifications and the same job ids, so that no recipient is notified twice.
 */
export async function feedAnnouncements(deps: {
  db: Database
  boss: Pick<PgBoss, 'insert'>
  clock: Clock
}): Promise<number> {
  const { db, boss, clock } = deps
  const mails = await listWaitingMails(db)
  if (mails.length === 0) return 0
  await insertNotifications(db, mails, clock.now())
  await boss.insert(MAIL_QUEUE, mails.map(toJob))
  await db
    .deleteFrom('platform.announcement_mail')
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('announcement_id', 'user_id'),
        'in',
        mails.map(({ announcement_id, user_id }) => tuple(announcement_id, user_id)),
      ),
    )
    .execute()
  return mails.length
}

type WaitingMail = Awaited<ReturnType<typeof listWaitingMails>>[number]

function listWaitingMails(db: Database) {
  return db
    .selectFrom('platform.announcement_mail as mail')
    .innerJoin('platform.announcement as announcement', 'announcement.id', 'mail.announcement_id')
    .select([
      'mail.announcement_id',
      'mail.user_id',
      'announcement.kind',
      'announcement.subject',
      'announcement.body',
      'announcement.sent_at',
    ])
    .orderBy('mail.announcement_id')
    .orderBy('mail.user_id')
    .limit(MAILS_PER_RUN)
    .execute()
}

function toJob({ announcement_id: announcementId, user_id: userId }: WaitingMail) {
  const data: MailPayload = { source: 'announcement', announcementId, userId }
  return { id: createJobId(getMailKey(data), 0n), data, priority: PRIORITY }
}

async function insertNotifications(
  db: Database,
  mails: readonly WaitingMail[],
  nowMs: number,
): Promise<void> {
  const rows = mails.map((mail) => ({
    id: createId(nowMs),
    user_id: mail.user_id,
    source: `announcement/${mail.announcement_id}`,
    kind: KIND,
    title: mail.subject,
    body: writeExcerpt(mail),
    link: null,
    created_at: mail.sent_at,
    read_at: null,
  }))
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('platform.notification')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const userIds = rows.map(({ user_id }) => user_id)
    await publishChange(trx, { topic: 'notifications', userIds })
  })
}

/** Returns the beginning of the text, with the sentence that its kind of mail always carries. */
function writeExcerpt({ kind, body }: Pick<WaitingMail, 'kind' | 'body'>): string {
  const characters = [...body]
  const isLong = characters.length > EXCERPT_CHARACTERS
  const excerpt = isLong ? `${characters.slice(0, EXCERPT_CHARACTERS).join('').trim()}…` : body
  const warning = MAIL_KINDS[AnnouncementKind.parse(kind)].ending?.text ?? null
  return warning === null ? excerpt : `${excerpt} ${warning}`
}
