import { formatTraceparent, parseTraceparent } from '@cairn/service-kit/tracing/traceparent'
import { continueTrace, type Tracer } from '@cairn/service-kit/tracing/tracer'
import type { Context, Next } from 'koa'
import type { Route } from './registry.ts'

const API_PATH = /^\/+api\//i
const SERVER_FAILURE = 500

/**
 * Runs a request of the API as a span, which has the declared path and not the requested path. The
 * span starts a new trace: a caller of a public API could otherwise add spans to any trace and decide
 * which requests are sent to the collector. The span of the caller becomes a link.
 */
export async function runRequestInSpan(
  tracer: Tracer | null,
  { ctx, requestId }: { ctx: Context; requestId: string },
  next: Next,
): Promise<void> {
  if (tracer === null || !API_PATH.test(ctx.path)) return await next()
  const { method } = ctx
  const span = tracer.start({
    name: method,
    kind: 'server',
    parent: null,
    links: listCallers(ctx),
    attributes: { 'http.request.method': method, 'cairn.request.id': requestId },
  })
  try {
    await continueTrace(span.traceparent, next)
  } finally {
    const declared: Route | undefined = ctx.state.route
    const route = declared?.endpoint.path ?? null
    span.rename(`${method} ${route ?? 'unknown'}`)
    span.set({ 'http.route': route, 'http.response.status_code': ctx.status })
    if (ctx.status >= SERVER_FAILURE) span.fail(String(ctx.status))
    span.end()
  }
}

/** Returns the span of the caller without its sampling flag, which the caller does not decide. */
function listCallers(ctx: Context): readonly string[] {
  const place = parseTraceparent(ctx.get('traceparent'))
  return place === null ? [] : [formatTraceparent({ ...place, isSampled: false })]
}
