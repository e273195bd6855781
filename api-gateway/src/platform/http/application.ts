import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import Router from '@koa/router'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import type { Logger } from 'pino'
import { mayReadMetrics, renderMetrics, requestSeconds } from '../metrics/metrics.ts'
import { renderDocs } from './docs-page.ts'
import { createNotFoundFailure, HttpFailure, toFailureBody, toHttpFailure } from './failure.ts'
import { answerHealth, type HealthSource } from './health.ts'
import { createLoadShedding } from './load-shedding.ts'
import { describeRoutes } from './openapi.ts'
import { answerCall, type Platform } from './pipeline.ts'
import type { Route } from './registry.ts'
import { runInRequest } from './request-scope.ts'
import { createSecurityHeaders, listSecurityHeaders } from './security-headers.ts'
import { createStaticFiles } from './static-files.ts'
import { runRequestInSpan } from './traced-request.ts'
import { closeIfBodyIsLong } from './unread-body.ts'

export const API_PREFIX = '/api/v1'
const API_PATH = /^\/+api(?:\/|%2f|$)/i

export interface ApplicationOptions extends HealthSource {
  platform: Platform
  routes: readonly Route[]
  /**
   * Pages that the gateway renders itself. They can pass a request on to the API. If it fails,
   * `ctx.state.showFailure` sets the body of the answer.
   */
  pages: readonly Middleware[]
  webDist: string | null
  /** Reads the name that the operator gave the site. */
  readSiteName: () => Promise<string>
  trustProxyHops: number
  /** The maximum number of requests of the API that are in progress. */
  inProgressMax: number
  /** The tokens with which another machine may read the metrics. */
  metricsTokens: readonly string[]
  /** Called for each request that was refused or has failed. */
  onFailure: (route: Route, failure: HttpFailure) => void
  log: Logger
  tracer: Tracer | null
}

/** Creates the listener that answers all requests of the gateway. */
export function createApplication(options: ApplicationOptions): RequestListener {
  const { platform, log } = options
  const app = new Koa({ proxy: options.trustProxyHops > 0, maxIpsCount: options.trustProxyHops })
  app.silent = true
  app.on('error', (error: unknown) => log.warn({ err: error }, 'response aborted'))

  const isSecure = platform.publicUrl.startsWith('https:')
  const headers = listSecurityHeaders({ isSecure })
  const shedding = createLoadShedding({ max: options.inProgressMax, path: API_PATH, headers })
  app.use(createSecurityHeaders({ isSecure }))
  app.use(shedding.count)
  app.use(createRequestIdMiddleware(options))
  app.use(createFailureMiddleware(options))
  app.use(requireOneHost)
  app.use(answerHealth(options))
  app.use(createMetricsMiddleware(options.metricsTokens))
  for (const page of options.pages) app.use(page)
  app.use(createRouter(platform, options.routes).routes())
  app.use(createDocumentMiddleware(options))
  // An unknown path of the API is answered with 404. An unknown path outside the API is answered
  // with a page of the site.
  app.use(async (ctx, next) => {
    if (API_PATH.test(ctx.path)) throw createNotFoundFailure('There is no such endpoint')
    await next()
  })
  app.use(createStaticFiles(options.webDist, options.readSiteName))
  app.use(() => {
    throw createNotFoundFailure()
  })
  return shedding.protect(app.callback())
}

function createRouter(platform: Platform, routes: readonly Route[]): Router {
  const router = new Router({ prefix: API_PREFIX, sensitive: true })
  const declared = new Set<string>()
  for (const route of routes) {
    const { method, path } = route.endpoint
    const name = `${method} ${path}`
    if (declared.has(name)) throw new Error(`${name} is declared twice`)
    declared.add(name)
    router.register(path, [method], (ctx) => {
      ctx.state.route = route
      return answerCall(platform, route, ctx as Context)
    })
  }
  return router
}

/**
 * Serves the OpenAPI document as JSON and as a page. They are created at the first request, and
 * again after the name of the site has changed.
 */
function createDocumentMiddleware({ platform, routes, readSiteName }: ApplicationOptions) {
  const isSecure = platform.publicUrl.startsWith('https:')
  let made: { title: string; json: string; page: string } | null = null
  return async (ctx: Context, next: Next): Promise<void> => {
    const isJson = ctx.path === `${API_PREFIX}/openapi.json`
    const isPage = ctx.path === '/api/docs'
    if ((!isJson && !isPage) || ctx.method !== 'GET') return next()
    const title = await readSiteName()
    if (made?.title !== title) {
      const document = describeRoutes(routes, { title, path: API_PREFIX, isSecure })
      made = { title, json: JSON.stringify(document), page: renderDocs(document) }
    }
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.type = isJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8'
    ctx.body = isJson ? made.json : made.page
  }
}

function createRequestIdMiddleware({ log, tracer }: Pick<ApplicationOptions, 'log' | 'tracer'>) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const requestId = randomUUID()
    ctx.state.requestId = requestId
    ctx.set('X-Request-Id', requestId)
    const startedAt = performance.now()
    try {
      await runInRequest(requestId, () => runRequestInSpan(tracer, { ctx, requestId }, next))
    } finally {
      const ms = Math.round(performance.now() - startedAt)
      observeRequest(ctx, performance.now() - startedAt)
      // Query strings are not logged, because they can contain names. Paths contain only ids.
      const line = { requestId, method: ctx.method, path: ctx.path, status: ctx.status, ms }
      if (ctx.path.startsWith('/api/')) log.info(line, 'request')
      else log.debug(line, 'request')
    }
  }
}

/**
 * Measures the request with its declared path. The requested path would create a new time series
 * for every path that a client invents.
 */
function observeRequest(ctx: Context, ms: number): void {
  const { method, status } = ctx
  const declared: Route | undefined = ctx.state.route
  const route = declared?.endpoint.path ?? 'page'
  requestSeconds.observe({ method, route, status }, ms / 1_000)
}

function createFailureMiddleware({
  log,
  onFailure,
}: Pick<ApplicationOptions, 'log' | 'onFailure'>) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next()
    } catch (error) {
      const requestId: string = ctx.state.requestId
      const failure = toHttpFailure(error)
      const route: Route | undefined = ctx.state.route
      if (route !== undefined) onFailure(route, failure)
      const isOurs = failure.status >= 500 && failure.code !== 'MAINTENANCE'
      if (isOurs) log.error({ err: error, requestId }, 'call failed')
      ctx.status = failure.status
      if (failure.retryAfterSeconds !== null) {
        ctx.set('Retry-After', String(failure.retryAfterSeconds))
      }
      ctx.set('Cache-Control', 'no-store')
      closeIfBodyIsLong(ctx)
      ctx.type = 'application/json; charset=utf-8'
      ctx.body = toFailureBody(failure, requestId)
      const showFailure: (() => void) | undefined = ctx.state.showFailure
      showFailure?.()
    }
  }
}

/**
 * Throws if a request has several Host headers, because the proxy could choose one header and this
 * server another.
 */
async function requireOneHost(ctx: Context, next: Next): Promise<void> {
  const names = ctx.req.rawHeaders.filter((_, index) => index % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
    throw new HttpFailure(400, 'INVALID', 'Send exactly one Host header')
  }
  await next()
}

function createMetricsMiddleware(tokens: readonly string[]) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== '/metrics' || !mayReadMetrics(ctx.req, tokens)) return next()
    ctx.type = 'text/plain; charset=utf-8'
    ctx.set('Cache-Control', 'no-store')
    ctx.body = await renderMetrics()
  }
}
