import { announceRelease } from '@cairn/service-kit/announce-release'
import { runJobInSpan } from '@cairn/service-kit/tracing/traced-job'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import { waitForDatabase } from '@cairn/service-kit/wait-for-database'
import { type JobResult, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { jobFailures } from '../metrics/metrics.ts'

const SCHEMA = 'platform_jobs'
const CONNECTIONS_MAX = 4
const POLL_SECONDS = 0.5
const BATCH_SIZE = 10
const POLL_IDLE_SECONDS = 10
/** If a job sends no heartbeat for this number of seconds, another process runs the job. */
const HEARTBEAT_SECONDS = 30

export interface JobDefinition<Payload extends z.ZodType> {
  queue: string
  payload: Payload
  retryLimit: number
  retryDelaySeconds: number
  expireSeconds: number
  handle(payload: z.output<Payload>): Promise<void>
}

export async function startBoss(options: { url: string; log: Logger }): Promise<PgBoss> {
  await waitForDatabase(options)
  await announceRelease(options)
  const boss = new PgBoss({
    connectionString: options.url,
    schema: SCHEMA,
    // The schema exists already. pg-boss only creates its tables.
    createSchema: false,
    max: CONNECTIONS_MAX,
    application_name: 'cairn-gateway-jobs',
    schedule: false,
    superviseIntervalSeconds: POLL_IDLE_SECONDS,
    monitorIntervalSeconds: POLL_IDLE_SECONDS,
  })
  boss.on('error', (error) => options.log.error({ err: error }, 'pg-boss'))
  await boss.start()
  return boss
}

/** Creates a queue and its dead letter queue, and starts one worker. */
export async function runQueue<Payload extends z.ZodType>(
  boss: PgBoss,
  job: JobDefinition<Payload>,
  log: Logger,
  tracer: Tracer | null = null,
): Promise<void> {
  const deadLetter = `${job.queue}.dead`
  await boss.createQueue(deadLetter)
  await boss.createQueue(job.queue, {
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    expireInSeconds: job.expireSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deadLetter,
  })
  // Jobs run one after another, so that mails are sent in the order of events.
  const polling = {
    pollingIntervalSeconds: POLL_SECONDS,
    batchSize: BATCH_SIZE,
    burstWhenBatchFull: true,
    perJobResults: true,
  } as const
  await boss.work(job.queue, polling, async (jobs: { id: string; data: unknown }[]) => {
    const results: JobResult[] = []
    // Jobs that were inserted together have the same time, so they are sorted by id.
    const inOrder = jobs.toSorted((left, right) => (left.id < right.id ? -1 : 1))
    for (const { id, data } of inOrder) {
      const { queue } = job
      const run = () => job.handle(job.payload.parse(data))
      const handle = () =>
        runJobInSpan(tracer, { queue, id, data: isObject(data) ? data : {} }, run)
      results.push(await runJob({ queue, id, data, handle }, log))
    }
    return results
  })
}

async function runJob(
  job: { queue: string; id: string; data: unknown; handle: () => Promise<void> },
  log: Logger,
): Promise<JobResult> {
  const { queue, id } = job
  const about = { queue, jobId: id, ...readTrace(job.data) }
  try {
    await job.handle()
    log.info(about, 'job done')
    return { id, status: 'completed' }
  } catch (error) {
    jobFailures.inc({ queue })
    log.warn({ err: error, ...about }, 'job failed, will be retried')
    return { id, status: 'failed' }
  }
}

/** Returns the request id or the event number of a job, for its log lines. */
function readTrace(data: unknown): Record<string, unknown> {
  if (!isObject(data)) return {}
  const { requestId, seq } = data
  return {
    ...(typeof requestId === 'string' ? { requestId } : {}),
    ...(typeof seq === 'string' ? { seq } : {}),
  }
}

function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null
}
