import { isQueueFailing, type WorkerReport } from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import { createJobId } from '../jobs/job-id.ts'
import type { WorkerClient } from '../jobs/worker-client.ts'
import type { Settings } from '../settings-store/site-settings.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from './mail-job.ts'

/**
 * Queues a mail to administrators about failed jobs, once a day for each queue until the jobs are
 * retried.
 */
export async function feedFailedJobs(deps: {
  boss: Pick<PgBoss, 'insert'>
  workers: readonly Pick<WorkerClient, 'report'>[]
  settings: Settings
  nowMs: number
}): Promise<void> {
  const { notifications } = await deps.settings.read()
  if (!notifications.emailNotifications) return
  const reports = await Promise.all(deps.workers.map((worker) => worker.report()))
  const day = new Date(deps.nowMs).toISOString().slice(0, 10)
  const payloads = reports.flatMap((report) => (report === null ? [] : toPayloads(report, day)))
  if (payloads.length === 0) return
  const jobs = payloads.map((data) => ({ id: createJobId(getMailKey(data), 0n), data }))
  await deps.boss.insert(MAIL_QUEUE, jobs)
}

function toPayloads({ queues }: WorkerReport, day: string): readonly MailPayload[] {
  return queues.filter(isQueueFailing).map(({ name, dead, failed }): MailPayload => {
    return { source: 'given-up', queue: name, count: dead > 0 ? dead : failed, day }
  })
}
