import { z } from 'zod'

/** The state of one job queue. */
export const QueueReport = z.object({
  name: z.string(),
  waiting: z.int(),
  active: z.int(),
  /** Jobs that failed all retries, within the retention period of jobs. */
  failed: z.int(),
  /** Jobs in the dead letter queue that no administrator has retried yet. */
  dead: z.int(),
  /** Seconds since the oldest waiting job became due. */
  oldestWaitingSeconds: z.int().nullable(),
  lastSuccessAt: z.string().nullable(),
  lastFailureAt: z.string().nullable(),
})
export type QueueReport = z.infer<typeof QueueReport>

/** True if a dead job waits for a retry, or if no job has succeeded since the last failure. */
export function isQueueFailing({ dead, lastSuccessAt, lastFailureAt }: QueueReport): boolean {
  if (dead > 0) return true
  return lastFailureAt !== null && (lastSuccessAt === null || lastFailureAt > lastSuccessAt)
}

/** The delay of a follower or of a background task. */
export const LagReport = z.object({
  name: z.string(),
  unit: z.enum(['seconds', 'events']),
  value: z.int(),
})
export type LagReport = z.infer<typeof LagReport>

/** The answer of a worker to `GET /v1/jobs`. `POST /v1/jobs/retry` takes the name of a queue. */
export const WorkerReport = z.object({
  worker: z.string(),
  queues: z.array(QueueReport),
  lags: z.array(LagReport),
  /** Workers of release 0.9.0 report no release. */
  release: z.string().optional(),
})
export type WorkerReport = z.infer<typeof WorkerReport>

export const RetryRequest = z.strictObject({ queue: z.string().max(100) })
export const RetryResponse = z.object({ retried: z.int() })

const DEAD = '.dead'

interface QueueRow {
  name: string
  waiting: number
  active: number
  failed: number
  oldest_seconds: number | null
  last_success: Date | null
  last_failure: Date | null
}

/** Reports the state of all job queues that pg-boss stores in `schema`. */
export async function reportQueues(
  execute: (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>,
  schema: 'ledger_jobs' | 'platform_jobs',
): Promise<QueueReport[]> {
  const { rows } = await execute(
    `select queue.name,
       (count(*) filter (where job.state in ('created', 'retry')))::int as waiting,
       (count(*) filter (where job.state = 'active'))::int as active,
       (count(*) filter (where job.state = 'failed'))::int as failed,
       extract(epoch from now() - min(greatest(job.start_after, job.created_on)) filter (
         where job.state in ('created', 'retry') and job.start_after <= now()))::int as oldest_seconds,
       max(job.completed_on) filter (where job.state = 'completed') as last_success,
       max(job.completed_on) filter (where job.state = 'failed') as last_failure
     from ${schema}.queue left join ${schema}.job on job.name = queue.name
     where queue.name not like '\\_\\_pgboss%'
     group by queue.name order by queue.name`,
    [],
  )
  // The cast is safe, because the statement above selects these columns.
  const known = rows as QueueRow[]
  return known.filter(({ name }) => !name.endsWith(DEAD)).map((row) => toReport(row, known))
}

function toReport(row: QueueRow, all: readonly QueueRow[]): QueueReport {
  return {
    name: row.name,
    waiting: row.waiting,
    active: row.active,
    failed: row.failed,
    dead: all.find((other) => other.name === `${row.name}${DEAD}`)?.waiting ?? 0,
    oldestWaitingSeconds: row.oldest_seconds,
    lastSuccessAt: row.last_success?.toISOString() ?? null,
    lastFailureAt: row.last_failure?.toISOString() ?? null,
  }
}
