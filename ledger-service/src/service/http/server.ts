import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { LedgerUnreachable, toJson } from '@cairn/ledger-contracts'
import type { ServerTls } from '@cairn/service-kit/service-tls'
import { parseTraceparent } from '@cairn/service-kit/tracing/traceparent'
import { continueTrace } from '@cairn/service-kit/tracing/tracer'
import type { Logger } from 'pino'
import { ZodError } from 'zod'
import { type Caller, type CallerTokens, createCallerLookup } from '../callers.ts'
import { requestSeconds } from '../metrics/metrics.ts'
import { buildDigestHeader, NotNow, readCredential, requireIntact } from './call-digest.ts'
import { createBodyBudget, createOverloadedReply, Overloaded } from './load-shedding.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const BODY_BYTES_MAX = 4 * 1024 * 1024
const KEEP_ALIVE_MS = 30_000
const HEADERS_TIMEOUT_MS = 5_000

export interface Request {
  path: string
  /** The query string without the question mark. */
  search: string
  body: unknown
  /** The authenticated caller. It is null only on a path that needs no right. */
  caller: Caller | null
  /** Returns a signal that is aborted when the connection closes. */
  getCloseSignal(): AbortSignal
}
export interface Reply {
  status: number
  body: unknown
  /** Plain text that is sent instead of the body. */
  text?: string
  headers?: Readonly<Record<string, string>>
}
export type Handler = (request: Request) => Promise<Reply>

/** A handler and the right that a caller needs. If `needs` is null, anyone may call the handler. */
export interface Route {
  needs: 'canSubmit' | Exclude<keyof Caller, 'name' | 'commands' | 'actors'> | null
  /** If it returns false, the call is refused with 429 before its body is read. */
  hasRoom?: () => boolean
  /**
   * Returns true for a path of a fixed list. Only these paths below a route are labels of the metric,
   * because each label needs memory, also for a refused caller.
   */
  isKnown?: (path: string) => boolean
  handle: Handler
}

/**
 * An error that the caller made. Every exception of another class is a bug, which is answered with
 * 500 without details.
 */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Creates the server with node:http, because a framework would need more time than the requests
 * themselves.
 */
export function createHttpServer(options: {
  /**
   * A map from a method and path, such as `GET /path`, to its route. A path that ends in `/`
   * matches all paths one level below it.
   */
  routes: Readonly<Record<string, Route>>
  tokens: CallerTokens
  /** Null means plain HTTP, which is only for callers on this machine. */
  tls: ServerTls | null
  log: Logger
  /** If true, calls continue the traces of their callers. */
  isTraced?: boolean
}): Server {
  const { routes, tokens, tls, log, isTraced = false } = options
  const findCaller = createCallerLookup(tokens)
  const bodies = createBodyBudget(BODY_BYTES_MAX)
  const handleRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error) => {
      log.error({ err: error, path: request.url }, 'the request could not be answered')
      response.destroy()
    })
  }
  const limits = { keepAliveTimeout: KEEP_ALIVE_MS, handshakeTimeout: HEADERS_TIMEOUT_MS }
  const server =
    tls === null
      ? createServer(limits, handleRequest)
      : createTlsServer({ ...limits, ...tls }, handleRequest)
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = 15_000

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/' } = request
    const [path = '/', search = ''] = url.split('?', 2)
    const requestId = readRequestId(request)
    const startedAtMs = performance.now()
    const credential = readCredential(request)
    const caller = credential === null ? null : findCaller(credential.token)
    const callDigest = caller === null ? null : (credential?.digest ?? null)
    let leave = () => {}
    let label: string | null = null
    try {
      const route = findRoute(routes, `${method} ${path}`)
      if (route === undefined) throw new BadRequest(404, 'There is nothing at this path')
      label = chooseLabel(route, path)
      requireRight(route, caller, request)
      if (route.hasRoom?.() === false) throw new Overloaded()
      leave = bodies.enter(request)
      const text = method === 'POST' ? await readBody(request) : ''
      requireIntact({ method, path: url, body: text }, callDigest)
      const body = method === 'POST' ? parseJson(text) : null
      const getCloseSignal = () => createCloseSignal(response)
      const parsed = { path, search, body, caller, getCloseSignal }
      const reply = isTraced
        ? await handleInTrace(route.handle, parsed, request)
        : await route.handle(parsed)
      send(response, reply, callDigest)
    } catch (error) {
      send(response, toErrorReply(error, log.child({ requestId })), callDigest)
    } finally {
      leave()
    }
    const ms = performance.now() - startedAtMs
    const status = response.statusCode
    log.debug({ requestId, path, status, ms }, 'request')
    // Long polls would distort the metric.
    if (label !== null && status !== 404 && path !== '/v1/events') {
      requestSeconds.observe({ path: label, status }, ms / 1_000)
    }
  }

  return server
}

/** Returns the request id that the caller sent, so that the caller and this service log one id. */
function readRequestId({ headers }: IncomingMessage): string | null {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : null
}

/**
 * Handles a call of an authenticated caller as a part of the span that the caller names. Other
 * callers cannot continue a trace.
 */
function handleInTrace(
  handle: Handler,
  parsed: Request,
  { headers: { traceparent } }: IncomingMessage,
): Promise<Reply> {
  if (parsed.caller === null || parseTraceparent(traceparent) === null) return handle(parsed)
  return continueTrace(String(traceparent), () => handle(parsed))
}

function requireRight({ needs }: Route, caller: Caller | null, request: IncomingMessage): void {
  if (needs === null || (needs === 'canReadMetrics' && isLocalRequest(request))) return
  if (caller === null) throw new BadRequest(401, 'The service token is missing or wrong')
  const isAllowed = needs === 'canSubmit' ? caller.commands.length > 0 : caller[needs]
  if (!isAllowed) throw new BadRequest(403, `${caller.name} may not make this call`)
}

/**
 * True for a request on the loopback interface that no proxy forwarded. Such requests may read
 * metrics.
 */
function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  if (headers['x-forwarded-for'] !== undefined) return false
  return LOOPBACK.has(socket.remoteAddress ?? '')
}

function findRoute(routes: Readonly<Record<string, Route>>, path: string): Route | undefined {
  if (Object.hasOwn(routes, path)) return routes[path]
  const below = `${path.slice(0, path.lastIndexOf('/'))}/`
  return Object.hasOwn(routes, below) ? routes[below] : undefined
}

/** Returns the path, or the folder of an unknown path below a route. */
function chooseLabel({ isKnown = () => true }: Route, path: string): string {
  return isKnown(path) ? path : path.slice(0, path.lastIndexOf('/') + 1)
}

/** Creates the signal when a handler asks for it, because most requests need no signal. */
function createCloseSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  if (response.destroyed) left.abort()
  else response.once('close', () => left.abort())
  return left.signal
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequest(400, 'The body is not JSON')
  }
}

/** Reads with events, because an async iterator would be slower for small bodies. */
function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
      else reject(new BadRequest(413, `The body is larger than ${BODY_BYTES_MAX} bytes`))
    })
    request.once('end', () => {
      const [only] = chunks
      const all = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
      resolve(all.toString('utf8'))
    })
    request.once('error', reject)
    request.once('close', () => {
      if (!request.complete) reject(new BadRequest(400, 'The body is incomplete'))
    })
  })
}

function toErrorReply(error: unknown, log: Logger): Reply {
  if (error instanceof BadRequest) return createReply(error.status, error.message)
  if (error instanceof Overloaded) return createOverloadedReply()
  if (error instanceof NotNow) {
    return { status: 503, body: { message: error.message, isNothingDone: true } }
  }
  if (error instanceof LedgerUnreachable) {
    log.warn({ err: error }, 'the active instance did not answer')
    return createReply(
      503,
      'The active instance did not answer; it is unknown whether it recorded the commands',
    )
  }
  if (error instanceof ZodError) return createReply(400, error.message)
  if (error instanceof RangeError) return createReply(400, error.message)
  log.error({ err: error }, 'the request failed')
  return createReply(500, 'The ledger could not answer; see its log')
}

function createReply(status: number, message: string): Reply {
  return { status, body: { message } }
}

function send(
  response: ServerResponse,
  { status, body, text: plain, headers }: Reply,
  callDigest: string | null,
): void {
  if (response.headersSent || response.destroyed) return
  const text = plain ?? toJson(body)
  response.writeHead(status, {
    ...headers,
    ...buildDigestHeader({ callDigest, status, body: text }),
    'content-type': plain === undefined ? 'application/json' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  // The body is a string, because node:http sends a string, unlike a buffer, together with the
  // headers in one write.
  response.end(text)
}
