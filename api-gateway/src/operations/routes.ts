import { getJobs, retryJobs } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { notFound } from '../http/failure.ts'
import { type Route, route } from '../http/registry.ts'

/** How the work behind the requests stands, for those who run the site. */
export function jobRoutes({ workers }: Dependencies): readonly Route[] {
  return [
    route(getJobs, { rate: 'read', owner: 'any', audit: null }, async () => {
      const reports = await Promise.all(workers.map((worker) => worker.report()))
      return {
        workers: reports.map((report, place) =>
          report === null
            ? { worker: `worker ${place + 1}`, isReachable: false, queues: [], lags: [] }
            : { ...report, isReachable: true },
        ),
      }
    }),
    route(
      retryJobs,
      { rate: 'write', owner: 'any', audit: 'jobs.retry' },
      async ({ params }, exchange) => {
        const answers = await Promise.all(workers.map((worker) => worker.retry(params.queue)))
        const known = answers.filter((retried) => retried !== null)
        if (known.length === 0) throw notFound('No worker that answers has such a queue')
        const retried = known.reduce((sum, count) => sum + count, 0)
        exchange.note({ subject: params.queue, retried })
        return { retried }
      },
    ),
  ]
}
