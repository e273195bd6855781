import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { RetryRequest, reportQueues, type WorkerReport } from '@cairn/ledger-contracts'
import { RELEASE } from '@cairn/service-kit/release'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { hasToken, mayReadMetrics, renderMetrics } from '../metrics/metrics.ts'

interface WorkerServerOptions {
  boss: PgBoss
  /**
   * The tokens of callers that may read the metrics, and of callers that may read and retry jobs.
   */
  callers: { metrics: readonly string[]; jobs: readonly string[] }
  isHealthy(): Promise<boolean>
  readLags(): Promise<WorkerReport['lags']>
  log: Logger
}

/**
 * Creates a server that answers health checks from any client, and requests for metrics and jobs
 * with a token.
 */
export function createWorkerServer(options: WorkerServerOptions): RequestListener {
  return (request, response) => {
    answerRequest(options, request, response).catch((error) => {
      options.log.warn({ err: error, path: request.url }, 'request failed')
      if (!response.headersSent) sendJson(response, 500, { message: 'See the log of the worker' })
    })
  }
}

async function answerRequest(
  options: WorkerServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = `${request.method} ${request.url}`
  if (call === 'GET /healthz') {
    const isHealthy = await options.isHealthy()
    const status = isHealthy ? 'ok' : 'unavailable'
    return sendJson(response, isHealthy ? 200 : 503, { status })
  }
  if (call === 'GET /metrics' && mayReadMetrics(request, options.callers.metrics)) {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(await renderMetrics())
    return
  }
  if (!hasToken(request, options.callers.jobs)) {
    return sendJson(response, 401, { message: 'The service token is missing or wrong' })
  }
  if (call === 'GET /v1/jobs') return sendJson(response, 200, await createReport(options))
  if (call === 'POST /v1/jobs/retry') {
    const { queue } = RetryRequest.parse(JSON.parse(await text(request)))
    const retried = await retryFailedJobs(options.boss, queue)
    if (retried !== null) return sendJson(response, 200, { retried })
  }
  sendJson(response, 404, { message: 'There is nothing at this path' })
}

async function createReport({ boss, readLags }: WorkerServerOptions): Promise<WorkerReport> {
  const db = boss.getDb()
  const queues = await reportQueues(
    (query, values) => db.executeSql(query, values),
    'platform_jobs',
  )
  return { worker: 'gateway', queues, lags: await readLags(), release: RELEASE }
}

/**
 * Moves the failed jobs of a queue back to the queue and returns their number. Null if there is no
 * such queue.
 */
export async function retryFailedJobs(boss: PgBoss, queue: string): Promise<number | null> {
  const deadLetter = `${queue}.dead`
  const known = await boss.getQueue(deadLetter)
  return known === null ? null : boss.redrive(deadLetter)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
