import { LagReport, QueueReport } from '@cairn/ledger-contracts'
import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { failure } from './failures.ts'

/** A process that works behind the requests: `ledger` credits profit, `gateway` mails and makes papers. */
export const WorkerState = z.object({
  worker: z.string(),
  /** False: it does not answer, and nothing is known of its queues. */
  isReachable: z.boolean(),
  queues: z.array(QueueReport),
  lags: z.array(LagReport),
})
export type WorkerState = z.infer<typeof WorkerState>

export const getJobs = endpoint({
  method: 'GET',
  path: '/admin/jobs',
  access: 'admin',
  response: z.object({ workers: z.array(WorkerState) }),
})

/** Runs again what was given up; of a queue that computes what is due, one run more. */
export const retryJobs = endpoint({
  method: 'POST',
  path: '/admin/jobs/:queue/retry',
  access: 'admin',
  request: z.strictObject({
    params: z.strictObject({ queue: z.string().regex(/^[a-z.-]{1,60}$/) }),
  }),
  response: z.object({ retried: z.int() }),
  failures: [failure(404, 'NOT_FOUND', 'No worker that answers has such a queue')],
})

/** Each queue of each worker that answers. */
export const exportJobs = csvEndpoint({ path: '/admin/jobs.csv', access: 'admin' })
