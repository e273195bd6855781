import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Context, Next } from 'koa'
import { shedRequests } from '../metrics/metrics.ts'
import { createOverloadedFailure, OVERLOAD_SECONDS, toFailureBody } from './failure.ts'
import { hasLongBody } from './unread-body.ts'

/**
 * The maximum number of requests of the API that one process works on at the same time. More
 * requests would not be answered faster, and each of them would wait longer.
 */
export const IN_PROGRESS_MAX = 200
const FAILURE = createOverloadedFailure()

export interface LoadShedding {
  /** Counts a request of the API while it is in progress. */
  count(ctx: Context, next: Next): Promise<void>
  /**
   * Returns a listener that refuses requests of the API while `max` requests are in progress. A
   * refusal needs no context of Koa, no session, no body and no database: under ten times the load
   * that a process can carry, nine of ten requests are refused, so each refusal must cost little.
   */
  protect(listener: RequestListener): RequestListener
}

export function createLoadShedding(options: {
  max: number
  path: RegExp
  /** The headers of each answer. */
  headers: Readonly<Record<string, string>>
}): LoadShedding {
  const { max, path } = options
  const headers = Object.entries({
    ...options.headers,
    'Retry-After': String(OVERLOAD_SECONDS),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
  }).flat()
  let inProgress = 0

  return {
    count: async (ctx, next) => {
      if (!path.test(ctx.path)) return next()
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
    },
    protect: (listener) => (request, response) => {
      if (inProgress >= max && canBeApi(request.url ?? '')) refuse(request, response)
      else listener(request, response)
    },
  }

  /** A URL with a host in front of its path is not parsed here, so it may belong to the API. */
  function canBeApi(url: string): boolean {
    return !url.startsWith('/') || path.test(url.split('?', 1)[0] ?? '')
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    shedRequests.inc()
    const requestId = randomUUID()
    const body = toFailureBody(FAILURE, requestId)
    const length = String(Buffer.byteLength(body))
    const all = [...headers, 'X-Request-Id', requestId, 'Content-Length', length]
    if (hasLongBody(request)) all.push('Connection', 'close')
    response.writeHead(FAILURE.status, all).end(body)
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
