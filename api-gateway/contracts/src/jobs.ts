import { LagReport, QueueReport } from '@cairn/ledger-contracts'
import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareFailure } from './failures.ts'
import { Instant } from './fields.ts'

/** A worker process: `ledger` credits profit, `gateway` sends mails and makes documents. */
export const WorkerState = z.object({
  worker: z.string(),
  /** False if the worker does not answer; its queues are then unknown. */
  isReachable: z.boolean(),
  queues: z.array(QueueReport),
  lags: z.array(LagReport),
  /** Null if the worker does not answer, or is of release 0.9.0. */
  release: z.string().nullable(),
})
export type WorkerState = z.infer<typeof WorkerState>

const finishedRun = { startedAt: Instant, seconds: z.number().min(0) }

/**
 * Outcome of the last `npm run backup` or `npm run drill`. `none`: the command has not run yet.
 * `unreadable`: the outcome is unknown, because the stored result cannot be read.
 */
export const BackupRun = z.discriminatedUnion('state', [
  z.object({ state: z.literal('passed'), ...finishedRun }),
  z.object({ state: z.literal('failed'), ...finishedRun, problem: z.string() }),
  z.object({ state: z.literal('unreadable'), problem: z.string() }),
  z.object({ state: z.literal('none') }),
])
export type BackupRun = z.infer<typeof BackupRun>

/**
 * Returns the state of the workers, and the outcomes of the last backup and the last drill. The two
 * outcomes are null if `BACKUP_DIR` is not set.
 */
export const getJobs = declareEndpoint({
  method: 'GET',
  path: '/admin/jobs',
  permission: 'jobs.read',
  response: z.object({
    workers: z.array(WorkerState),
    backup: BackupRun.nullable(),
    drill: BackupRun.nullable(),
  }),
})

/** Runs the failed jobs of a queue again. For a scheduled job, one new run is started. */
export const retryJobs = declareEndpoint({
  method: 'POST',
  path: '/admin/jobs/:queue/retry',
  permission: 'jobs.retry',
  request: z.strictObject({
    params: z.strictObject({ queue: z.string().regex(/^[a-z.-]{1,60}$/) }),
  }),
  response: z.object({ retried: z.int() }),
  failures: [declareFailure(404, 'NOT_FOUND', 'No running worker has this queue')],
})

/** Exports the queues of all workers that answer. */
export const exportJobs = declareCsvEndpoint({ path: '/admin/jobs.csv', permission: 'jobs.read' })
