import { LagReport, QueueReport } from '@cairn/ledger-contracts'
import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { failure } from './failures.ts'

/** A worker process: `ledger` credits profit, `gateway` sends mails and makes documents. */
export const WorkerState = z.object({
  worker: z.string(),
  /** False if the worker does not answer; its queues are then unknown. */
  isReachable: z.boolean(),
  queues: z.array(QueueReport),
  lags: z.array(LagReport),
})
export type WorkerState = z.infer<typeof WorkerState>

export const getJobs = endpoint({
  method: 'GET',
  path: '/admin/jobs',
  permission: 'jobs.read',
  response: z.object({ workers: z.array(WorkerState) }),
})

/** Runs the failed jobs of a queue again. For a scheduled job, one new run is started. */
export const retryJobs = endpoint({
  method: 'POST',
  path: '/admin/jobs/:queue/retry',
  permission: 'jobs.retry',
  request: z.strictObject({
    params: z.strictObject({ queue: z.string().regex(/^[a-z.-]{1,60}$/) }),
  }),
  response: z.object({ retried: z.int() }),
  failures: [failure(404, 'NOT_FOUND', 'No running worker has this queue')],
})

/** Exports the queues of all workers that answer. */
export const exportJobs = csvEndpoint({ path: '/admin/jobs.csv', permission: 'jobs.read' })
