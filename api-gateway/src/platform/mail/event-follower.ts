import type { RecordedEvent } from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import type { Follower } from '../jobs/follower.ts'
import { createJobId } from '../jobs/job-id.ts'
import { listMails } from './event-mail.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from './mail-job.ts'

/**
 * The longest time, in milliseconds, between the effective time of an event and its recording. An
 * event that is recorded later causes no mail.
 */
const NEWS_MS = 3_600_000

export function createMailFollower(boss: PgBoss): Follower {
  return {
    name: 'mail.v1',
    handle: async (events, _trx, traceparents) => {
      const jobs = events
        .filter(isRecentEvent)
        .flatMap((event) => toJobs(event, traceparents[String(event.seq)]))
      if (jobs.length > 0) await boss.insert(MAIL_QUEUE, jobs)
    },
  }
}

function isRecentEvent({ recordedAt, effectiveAt }: RecordedEvent): boolean {
  return Date.parse(recordedAt) - Date.parse(effectiveAt) < NEWS_MS
}

function toJobs(
  { seq, type, data }: RecordedEvent,
  traceparent: string | undefined,
): { id: string; data: MailPayload }[] {
  const traced = traceparent === undefined ? {} : { traceparent }
  return listMails(type, data).map(({ part }) => {
    const payload: MailPayload = { source: 'event', seq: String(seq), type, data, part, ...traced }
    return { id: createJobId(getMailKey(payload), seq), data: payload }
  })
}
