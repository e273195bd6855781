import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { LedgerUnreachable, toJson } from '@cairn/ledger-contracts'
import type { Logger } from 'pino'
import { ZodError } from 'zod'
import { requestSeconds } from '../metrics/metrics.ts'
import { answerDigest, callDigestOf, NotNow, requireWhole } from './call-digest.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const BODY_BYTES_MAX = 4 * 1024 * 1024

export interface Request {
  path: string
  /** What stands behind the question mark. */
  search: string
  body: unknown
  /** Aborted when the caller has gone. */
  untilGone(): AbortSignal
}
export interface Reply {
  status: number
  body: unknown
  /** Sent as it is, in place of the body. */
  text?: string
  headers?: Readonly<Record<string, string>>
}
export type Handler = (request: Request) => Promise<Reply>

/** What a caller did wrong; anything else that is thrown is a bug and answers 500 without details. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Plain node:http: between services a framework costs more than the work it frames. */
export function createHttpServer(options: {
  /** By `METHOD /path`; a path that ends in `/` takes all below it. */
  routes: Readonly<Record<string, Handler>>
  token: string
  log: Logger
}): Server {
  const { routes, token, log } = options
  const authorization = Buffer.from(`Bearer ${token}`)
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch((error) => {
      log.error({ err: error, path: request.url }, 'a request could not be answered')
      response.destroy()
    })
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 15_000

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/' } = request
    const [path = '/', search = ''] = url.split('?', 2)
    const requestId = requestIdOf(request)
    const startedAtMs = performance.now()
    const callDigest = callDigestOf(request, authorization)
    try {
      const handler = handlerFor(routes, `${method} ${path}`)
      if (handler === undefined) throw new BadRequest(404, 'There is nothing at this path')
      if (callDigest === null && !isOpen(path, request)) {
        throw new BadRequest(401, 'The service token is missing or wrong')
      }
      const text = method === 'POST' ? await readBody(request) : ''
      requireWhole({ method, path: url, body: text }, callDigest)
      const body = method === 'POST' ? parseJson(text) : null
      const untilGone = () => closing(response)
      send(response, await handler({ path, search, body, untilGone }), callDigest)
    } catch (error) {
      send(response, failure(error, log.child({ requestId })), callDigest)
    }
    const ms = performance.now() - startedAtMs
    const status = response.statusCode
    log.debug({ requestId, path, status, ms }, 'request')
    // Waiting for events is no work, and a path that is not known names nothing.
    if (status !== 404 && path !== '/v1/events') {
      requestSeconds.observe({ path, status }, ms / 1_000)
    }
  }

  return server
}

/** The caller's, so that one request is found in the logs of both. */
function requestIdOf({ headers }: IncomingMessage): string | null {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : null
}

/** Figures are for whoever is on this machine; a proxy on it speaks for somebody else. */
function isOpen(path: string, { headers, socket }: IncomingMessage): boolean {
  if (path === '/healthz') return true
  if (path !== '/metrics' || headers['x-forwarded-for'] !== undefined) return false
  return LOOPBACK.has(socket.remoteAddress ?? '')
}

function handlerFor(routes: Readonly<Record<string, Handler>>, path: string): Handler | undefined {
  if (Object.hasOwn(routes, path)) return routes[path]
  const below = `${path.slice(0, path.lastIndexOf('/'))}/`
  return Object.hasOwn(routes, below) ? routes[below] : undefined
}

/** Made only where it is asked for: most callers are answered before they could go. */
function closing(response: ServerResponse): AbortSignal {
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

/** By its events: an iterator costs more than a command's few hundred bytes. */
function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
      else reject(new BadRequest(413, `At most ${BODY_BYTES_MAX} bytes`))
    })
    request.once('end', () => {
      const [only] = chunks
      const all = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
      resolve(all.toString('utf8'))
    })
    request.once('error', reject)
    request.once('close', () => {
      if (!request.complete) reject(new BadRequest(400, 'The body did not end'))
    })
  })
}

function failure(error: unknown, log: Logger): Reply {
  if (error instanceof BadRequest) return reply(error.status, error.message)
  if (error instanceof NotNow) {
    return { status: 503, body: { message: error.message, isNothingDone: true } }
  }
  if (error instanceof LedgerUnreachable) {
    log.warn({ err: error }, 'the active instance did not answer')
    return reply(503, 'The active instance did not answer; what it did is not known')
  }
  if (error instanceof ZodError) return reply(400, error.message)
  if (error instanceof RangeError) return reply(400, error.message)
  log.error({ err: error }, 'a request failed')
  return reply(500, 'The ledger could not answer; see its log')
}

function reply(status: number, message: string): Reply {
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
    ...answerDigest({ callDigest, status, body: text }),
    'content-type': plain === undefined ? 'application/json' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  // As text, which leaves together with the headers in one write.
  response.end(text)
}
