import type { RecordedEvent } from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import type { Follower } from '../jobs/follower.ts'
import { jobIdOf } from '../jobs/job-id.ts'
import { MAILED_EVENTS } from './event-mail.ts'
import { MAIL_QUEUE, type MailPayload, mailKeyOf } from './mail-job.ts'

/** What was entered later than it happened is history, and nobody is told about it as news. */
const NEWS_MS = 3_600_000

export function mailFollower(boss: PgBoss): Follower {
  return {
    name: 'mail.v1',
    handle: async (events) => {
      const jobs = events.filter(isNews).map(toJob)
      if (jobs.length > 0) await boss.insert(MAIL_QUEUE, jobs)
    },
  }
}

function isNews({ type, recordedAt, effectiveAt }: RecordedEvent): boolean {
  return MAILED_EVENTS.has(type) && Date.parse(recordedAt) - Date.parse(effectiveAt) < NEWS_MS
}

function toJob({ seq, type, data }: RecordedEvent): { id: string; data: MailPayload } {
  const payload: MailPayload = { source: 'event', seq: String(seq), type, data }
  return { id: jobIdOf(mailKeyOf(payload), seq), data: payload }
}
