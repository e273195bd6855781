import type { RecordedEvent } from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import { isNews } from '../is-news.ts'
import type { Follower } from '../jobs/follower.ts'
import { createJobId } from '../jobs/job-id.ts'
import { listMails } from './event-mail.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from './mail-job.ts'

export function createMailFollower(boss: PgBoss): Follower {
  return {
    name: 'mail.v1',
    handle: async (events, _trx, traceparents) => {
      const jobs = events
        .filter(isNews)
        .flatMap((event) => toJobs(event, traceparents[String(event.seq)]))
      if (jobs.length > 0) await boss.insert(MAIL_QUEUE, jobs)
    },
  }
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
