import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import { shedRequests } from '../metrics/metrics.ts'
import { HttpFailure, toFailureBody } from './failure.ts'
import { closeIfBodyIsLong } from './unread-body.ts'

/**
 * The maximum number of requests of the API that one process works on at the same time. More
 * requests would not be answered faster, and each of them would wait longer.
 */
export const IN_PROGRESS_MAX = 250
const RETRY_AFTER_SECONDS = 1

/**
 * Refuses requests of the API while `max` requests are in progress. A refusal needs no session, no
 * body and no database, so that it costs little.
 */
export function createLoadShedding({ max, path }: { max: number; path: RegExp }) {
  let inProgress = 0
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!path.test(ctx.path)) return next()
    if (inProgress >= max) return refuse(ctx)
    inProgress += 1
    const count = (change: number) => {
      inProgress += change
    }
    ctx.state.countInProgress = count
    try {
      await next()
    } finally {
      inProgress -= 1
    }
  }
}

/**
 * Reads from the client. A request is not in progress while the server waits for the client, because
 * slow clients would otherwise use up the number of requests.
 */
export async function readFromClient<T>(ctx: Context, read: () => Promise<T>): Promise<T> {
  const count: (change: number) => void = ctx.state.countInProgress ?? (() => {})
  count(-1)
  try {
    return await read()
  } finally {
    count(1)
  }
}

function refuse(ctx: Context): void {
  shedRequests.inc()
  const failure = new HttpFailure(429, 'OVERLOADED', 'The platform is busy. Please try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
  const requestId = randomUUID()
  ctx.status = failure.status
  ctx.set({
    'Retry-After': String(RETRY_AFTER_SECONDS),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  })
  closeIfBodyIsLong(ctx)
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = toFailureBody(failure, requestId)
}
