import type { Clock } from '@cairn/service-kit/clock'
import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { createJobId } from '../jobs/job-id.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from './mail-job.ts'

const MAILS_PER_RUN = 100

/**
 * Creates jobs for the mails in the outbox. A repetition after a crash creates the same job ids, so
 * that no mail is queued twice.
 */
export async function feedOutbox(deps: {
  db: Database
  boss: PgBoss
  clock: Clock
}): Promise<number> {
  const { db, boss, clock } = deps
  const waiting = await db
    .selectFrom('identity.outbox')
    .select(['id', 'request_id', 'traceparent'])
    .where('handed_over_at', 'is', null)
    .orderBy('created_at')
    .limit(MAILS_PER_RUN)
    .execute()
  if (waiting.length === 0) return 0
  const ids = waiting.map(({ id }) => id)
  await boss.insert(MAIL_QUEUE, waiting.map(toJob))
  await db
    .updateTable('identity.outbox')
    .set({ handed_over_at: new Date(clock.now()) })
    .where('id', 'in', ids)
    .execute()
  return ids.length
}

/** Mails of the outbox are sent before mails about events, because users wait for codes. */
const PRIORITY = 10

function toJob(mail: { id: string; request_id: string | null; traceparent: string | null }) {
  const { id: outboxId, request_id: requestId, traceparent } = mail
  const traced = traceparent === null ? {} : { traceparent }
  const data: MailPayload = { source: 'outbox', outboxId, requestId, ...traced }
  return { id: createJobId(getMailKey(data), 0n), data, priority: PRIORITY }
}
