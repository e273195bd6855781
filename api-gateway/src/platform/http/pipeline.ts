import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Context } from 'koa'
import type { Logger } from 'pino'
import { maskAnswer } from '../access/mask-answer.ts'
import type { Database } from '../database/database.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { runAudited } from './audited-call.ts'
import {
  type Caller,
  type Policy,
  requireAccess,
  requireFreshFactor,
  requireNoMaintenance,
  requirePolicy,
} from './caller.ts'
import type { CallerSlots } from './caller-slots.ts'
import { isForm, readContent } from './content.ts'
import { readCookie, setCookie } from './cookies.ts'
import {
  createCsrfToken,
  isCsrfToken,
  requireCsrfToken,
  requireSameSite,
  requireXhr,
  XSRF_COOKIE,
} from './csrf.ts'
import { HttpFailure, toHttpFailure } from './failure.ts'
import { closeKeyedRequest, hashRequest, openKeyedRequest } from './keyed-request.ts'
import { readFromClient } from './load-shedding.ts'
import type { ReceivedFile } from './multipart.ts'
import { getCustomer } from './network.ts'
import { getAnonymousRate, type RateLimiter } from './rate-limit.ts'
import type { RefusalRecorder } from './refusal-recorder.ts'
import {
  type Exchange,
  type FileAnswer,
  needsStepUp,
  type Route,
  type StreamAnswer,
} from './registry.ts'
import { type Answer, callAfterAnswer, sendAnswer } from './send-answer.ts'
import { isShared, type SharedRateLimiter } from './shared-rate-limit.ts'

/** The audit action for a request that was refused before its handler ran. */
export const ACCESS_REFUSED = 'access.refused'
const KEY = /^[\x21-\x7e]{1,255}$/

export interface Platform {
  db: Database
  clock: Clock
  rates: RateLimiter
  sharedRates: SharedRateLimiter
  refusals: RefusalRecorder
  uploads: CallerSlots
  exports: CallerSlots
  log: Logger
  sessionKeys: KeyRing
  publicUrl: string
  /** Returns the signed-in user. If `isUse` is true, the idle time of the session starts again. */
  findCaller(ctx: Context, isUse: boolean): Promise<Caller | null>
  readPolicy(): Promise<Policy>
}

/** Answers a request. All endpoints use the same steps, and the cheapest checks are first. */
export async function answerCall(platform: Platform, route: Route, ctx: Context): Promise<void> {
  const { endpoint, options } = route
  const isUnsafe = endpoint.method !== 'GET' || endpoint.isUnsafeGet
  const { rate } = options
  // Rate limits by address are checked before any other database query: first in memory, then in
  // the database.
  const isByAddress = isShared(rate)
  if (isByAddress) {
    platform.rates.take(rate, `ip ${getCustomer(ctx.ip)}`)
    await platform.sharedRates.take(rate, ctx.ip)
  }

  // A request that a page sends without a user action is not a use, so it must not extend the
  // session.
  const isUse = options.isNoUse !== true && ctx.get('X-Background') === ''
  const caller = await platform.findCaller(ctx, isUse)
  if (!isByAddress) consumeRateLimit(platform, route, { ctx, caller })
  setXsrfCookie(platform, ctx, caller)
  try {
    await requireAllowedCaller(platform, route, { caller, ip: ctx.ip })
    if (isUnsafe && !options.findProvedUser)
      requireTrustedOrigin(platform, ctx, { caller, endpoint })
  } catch (error) {
    await recordRefusedEntry(platform, { route, ctx, caller }, error)
    throw error
  }

  const leave = takeSlot(platform, route, { ctx, caller })
  try {
    const { content, file } = await readFromClient(ctx, () => readContent(endpoint, ctx))
    const exchange = openExchange(platform, ctx, { caller, file })
    const answer = await runAudited(platform, { route, exchange }, () =>
      answerOnce(platform, route, { content, exchange }),
    )
    sendAnswer(ctx, answer)
  } finally {
    callAfterAnswer(ctx, leave)
  }
}

/** Takes a slot for an export or a form. Returns a function that frees the slot. */
function takeSlot(
  { uploads, exports }: Platform,
  { endpoint, options }: Route,
  { ctx, caller }: { ctx: Context; caller: Caller | null },
): () => void {
  if (options.isExport === true) return exports.enter(caller?.userId ?? getCustomer(ctx.ip))
  if (endpoint.upload === null || caller === null || !isForm(ctx.req)) return () => {}
  return uploads.enter(caller.userId)
}

/** Records that a signed-in user was refused access, or was asked for a step-up. */
async function recordRefusedEntry(
  { clock, refusals }: Platform,
  { route, ctx, caller }: { route: Route; ctx: Context; caller: Caller | null },
  error: unknown,
): Promise<void> {
  const { status, code } = toHttpFailure(error)
  if (caller === null || status !== 403) return
  const { method, path, permission } = route.endpoint
  await refusals.record(
    {
      actorId: caller.userId,
      action: ACCESS_REFUSED,
      subject: null,
      ip: ctx.ip,
      requestId: readRequestId(ctx),
      result: code,
      details: { call: `${method} ${path}`, permission },
    },
    clock.now(),
  )
}

async function requireAllowedCaller(
  platform: Platform,
  route: Route,
  { caller, ip }: { caller: Caller | null; ip: string },
): Promise<void> {
  const { endpoint, options } = route
  const policy = await platform.readPolicy()
  if (!options.isOpenInMaintenance) requireNoMaintenance(policy, caller?.role ?? null)
  requireAccess(endpoint, caller)
  const nowMs = platform.clock.now()
  requirePolicy(policy, { access: endpoint.access, caller, ip, nowMs })
  if (needsStepUp(route)) requireFreshFactor(policy, { caller, nowMs })
}

async function answerOnce(
  platform: Platform,
  route: Route,
  { content, exchange }: { content: unknown; exchange: Exchange },
): Promise<Answer> {
  const { endpoint } = route
  const { caller, file } = exchange
  const key = endpoint.isIdempotent ? readKey(exchange.ctx) : null
  if (key === null || caller === null) return runHandler(route, content, exchange)

  const call = `${endpoint.method} ${endpoint.path}`
  const requestHash = hashRequest({ call, content, file: file?.bytes ?? null })
  const { userId } = caller
  const { nowMs } = exchange
  const keyed = await openKeyedRequest(platform.db, { userId, key, requestHash, nowMs })
  if (keyed.answer !== null) return keyed.answer
  const { subjectId, isRepetition } = keyed
  const attempt = { ...exchange, key, subjectId, isRepetition }
  const answer = await runHandler(route, content, attempt)
  if (!('status' in answer)) return answer
  return closeKeyedRequest(platform.db, { userId, key, answer })
}

async function runHandler(route: Route, content: unknown, exchange: Exchange): Promise<Answer> {
  const { endpoint } = route
  const result = await route.handle(content, exchange)
  // The casts are safe because `createFileRoute` and `createStreamRoute` require these types.
  if (endpoint.answers === 'file') return result as FileAnswer
  if (endpoint.answers === 'stream') return result as StreamAnswer
  if (endpoint.status === 204) return { status: 204, body: '' }
  // Parsing removes undeclared properties, so that a new database column is not exposed.
  const parsed: unknown = endpoint.response.parse(result)
  const data = maskAnswer(parsed, { endpoint, caller: exchange.caller })
  return { status: endpoint.status, body: JSON.stringify({ status: 'success', data }) }
}

function requireTrustedOrigin(
  platform: Platform,
  ctx: Context,
  { caller, endpoint }: { caller: Caller | null; endpoint: Endpoint },
): void {
  requireSameSite(ctx.headers, { publicOrigin: new URL(platform.publicUrl).origin })
  if (caller === null || endpoint.isUnsafeGet) {
    requireXhr(ctx.headers)
    return
  }
  requireCsrfToken({
    keys: platform.sessionKeys,
    sessionHash: caller.sessionHash,
    cookie: readCookie(ctx.headers.cookie, XSRF_COOKIE),
    header: ctx.headers['x-xsrf-token'],
  })
}

function setXsrfCookie(platform: Platform, ctx: Context, caller: Caller | null): void {
  if (ctx.method !== 'GET') return
  const sessionHash = caller?.sessionHash ?? null
  const known = readCookie(ctx.headers.cookie, XSRF_COOKIE)
  if (isCsrfToken(platform.sessionKeys, sessionHash, known)) return
  issueCsrfToken(platform, ctx, sessionHash)
}

/**
 * Creates an anti-forgery token for the session and sets the token as a cookie. The page reads the
 * token from this cookie.
 */
export function issueCsrfToken(
  platform: Pick<Platform, 'sessionKeys' | 'publicUrl'>,
  ctx: Context,
  sessionHash: string | null,
): void {
  setCookie(ctx, XSRF_COOKIE, createCsrfToken(platform.sessionKeys, sessionHash), {
    isSecure: platform.publicUrl.startsWith('https:'),
    isHttpOnly: false,
    maxAgeSeconds: null,
  })
}

function consumeRateLimit(
  { rates }: Platform,
  { options: { rate, findProvedUser } }: Route,
  { ctx, caller }: { ctx: Context; caller: Caller | null },
): void {
  const provedUser = findProvedUser?.(ctx) ?? null
  // The few addresses of a mail provider send the requests of many users.
  if (provedUser !== null) {
    rates.take(rate, `token of ${provedUser}`)
    return
  }
  if (caller === null) {
    rates.take(getAnonymousRate(rate), `ip ${getCustomer(ctx.ip)}`)
    return
  }
  const { userId, sessionHash } = caller
  rates.take(rate, rate === 'stream' ? `session ${sessionHash}` : `user ${userId}`)
}

function readKey(ctx: Context): string | null {
  const header = ctx.headers['idempotency-key']
  if (header === undefined) return null
  if (typeof header === 'string' && KEY.test(header)) return header
  throw new HttpFailure(
    400,
    'INVALID',
    'The Idempotency-Key must be 1 to 255 ASCII characters without spaces',
  )
}

function openExchange(
  platform: Platform,
  ctx: Context,
  { caller, file }: { caller: Caller | null; file: ReceivedFile | null },
): Exchange {
  const nowMs = platform.clock.now()
  const subjectId = createId(nowMs)
  return {
    ctx,
    caller,
    requestId: readRequestId(ctx),
    ip: ctx.ip,
    nowMs,
    file,
    key: null,
    subjectId,
    isRepetition: false,
    note: () => {},
    attempt: async () => {},
  }
}

function readRequestId(ctx: Context): string {
  return ctx.state.requestId ?? randomUUID()
}
