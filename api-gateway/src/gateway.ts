import type { RequestListener } from 'node:http'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createUnsubscribePage } from './features/announcements/unsubscribe-page.ts'
import { findCaller, readSessionToken } from './features/sessions/sessions.ts'
import type { Dependencies } from './platform/dependencies.ts'
import { createApplication } from './platform/http/application.ts'
import { createCallerSlots } from './platform/http/caller-slots.ts'
import { isDocumented } from './platform/http/documented-failures.ts'
import type { HttpFailure } from './platform/http/failure.ts'
import { createKnownSessions } from './platform/http/known-sessions.ts'
import { IN_PROGRESS_MAX } from './platform/http/load-shedding.ts'
import { getCustomer } from './platform/http/network.ts'
import type { Platform } from './platform/http/pipeline.ts'
import { createRateLimiter } from './platform/http/rate-limit.ts'
import { createRefusalRecorder } from './platform/http/refusal-recorder.ts'
import type { Route } from './platform/http/registry.ts'
import { readPolicy } from './platform/settings-store/policy.ts'
import { createSiteNameReader } from './platform/settings-store/site-name.ts'

const PROBE_TIMEOUT_MS = 2_000
/** Each export that its client does not read keeps a page of rows in memory. */
const EXPORTS_PER_CALLER_MAX = 2
/** Uploads are read into memory before they are checked. */
const UPLOADS_PER_CALLER_MAX = 8

export interface GatewayOptions {
  webDist: string | null
  trustProxyHops: number
  /**
   * The health URLs of the other services, one list per service. The gateway is ready only if at
   * least one URL of each list answers.
   */
  readyUrls: readonly (readonly string[])[]
  routes: readonly Route[]
  metricsTokens: readonly string[]
  /** The maximum number of requests of the API that are in progress. */
  inProgressMax?: number
  /** Starts the spans of requests. By default, the gateway makes no spans. */
  tracer?: Tracer | null
  /** Called with each failure of a route. Only tests use this function. */
  onFailure?: (route: Route, failure: HttpFailure) => void
}

/** Creates the gateway from its dependencies. It does not listen on a port. */
export function createGateway(
  deps: Dependencies,
  options: GatewayOptions,
  log: Logger,
): RequestListener {
  const { db, clock } = deps
  const isSecure = deps.publicUrl.startsWith('https:')
  const rates = createRateLimiter({ scale: deps.rateLimitScale, now: () => clock.now() })
  const sessions = createKnownSessions(rates)
  const platform: Platform = {
    db,
    clock,
    sessionKeys: deps.sessionKeys,
    publicUrl: deps.publicUrl,
    refusals: createRefusalRecorder({ db, clock, log }),
    log,
    rates,
    sharedRates: deps.sharedRates,
    uploads: createCallerSlots(UPLOADS_PER_CALLER_MAX),
    exports: createCallerSlots(EXPORTS_PER_CALLER_MAX),
    findCaller: (ctx, isUse) => {
      const token = readSessionToken(ctx, isSecure)
      return sessions.find({ token, address: `ip ${getCustomer(ctx.ip)}` }, () =>
        findCaller(db, { token, nowMs: clock.now(), isUse }),
      )
    },
    readPolicy: () => readPolicy(deps.settings),
  }
  const isAlive = () => canReach(sql`select 1`.execute(db))
  return createApplication({
    platform,
    routes: options.routes,
    pages: [createUnsubscribePage(deps)],
    webDist: options.webDist,
    readSiteName: createSiteNameReader(deps.settings),
    metricsTokens: options.metricsTokens,
    trustProxyHops: options.trustProxyHops,
    inProgressMax: options.inProgressMax ?? IN_PROGRESS_MAX,
    onFailure: options.onFailure ?? createUndocumentedFailureWarning(log),
    isAlive,
    isReady: async () => {
      const [database, ...others] = await Promise.all([
        isAlive(),
        ...options.readyUrls.map((urls) => canReach(Promise.any(urls.map(checkHealth)))),
      ])
      // The answer does not contain the URLs, because they would reveal the internal network.
      const parts = others.map((isUp, index): [string, boolean] => [`part${index + 1}`, isUp])
      return { database, ...Object.fromEntries(parts) }
    },
    log,
    tracer: options.tracer ?? null,
  })
}

/**
 * Returns a function that receives a failure of a route. The function logs a warning if the
 * documentation of the route does not list the failure.
 */
function createUndocumentedFailureWarning(log: Logger) {
  return (route: Route, failure: HttpFailure): void => {
    if (isDocumented(route, failure)) return
    const { method, path } = route.endpoint
    const { status, code } = failure
    log.warn({ method, path, status, code }, 'answered with a failure that is not documented')
  }
}

async function checkHealth(url: string): Promise<void> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
  const response = await fetch(url, { redirect: 'error', signal })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
}

async function canReach(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch {
    return false
  }
}
