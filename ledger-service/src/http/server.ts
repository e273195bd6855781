import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { toJson } from '@cairn/ledger-contracts'
import type { Logger } from 'pino'
import { ZodError } from 'zod'

const BODY_BYTES_MAX = 4 * 1024 * 1024

export interface Request {
  url: URL
  body: unknown
  /** Aborted when the caller has gone. */
  signal: AbortSignal
}
export interface Reply {
  status: number
  body: unknown
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
  /** Null: this server needs none, as it only tells its health. */
  token: string | null
  log: Logger
}): Server {
  const { routes, token, log } = options
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch((error) => {
      log.error({ err: error, path: request.url }, 'a request could not be answered')
      response.destroy()
    })
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 15_000

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://ledger')
    const left = new AbortController()
    response.once('close', () => left.abort())
    try {
      const handler = handlerFor(routes, `${request.method} ${url.pathname}`)
      if (handler === undefined) throw new BadRequest(404, 'There is nothing at this path')
      if (token !== null && url.pathname !== '/healthz' && !isAuthorized(request, token)) {
        throw new BadRequest(401, 'The service token is missing or wrong')
      }
      const body = request.method === 'POST' ? await readJson(request) : null
      send(response, await handler({ url, body, signal: left.signal }))
    } catch (error) {
      send(response, failure(error, log))
    }
  }

  return server
}

function handlerFor(routes: Readonly<Record<string, Handler>>, path: string): Handler | undefined {
  if (Object.hasOwn(routes, path)) return routes[path]
  const below = `${path.slice(0, path.lastIndexOf('/'))}/`
  return Object.hasOwn(routes, below) ? routes[below] : undefined
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new BadRequest(413, `At most ${BODY_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new BadRequest(400, 'The body is not JSON')
  }
}

function failure(error: unknown, log: Logger): Reply {
  if (error instanceof BadRequest) return reply(error.status, error.message)
  if (error instanceof ZodError) return reply(400, error.message)
  if (error instanceof RangeError) return reply(400, error.message)
  log.error({ err: error }, 'a request failed')
  return reply(500, 'The ledger could not answer; see its log')
}

function reply(status: number, message: string): Reply {
  return { status, body: { message } }
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (response.headersSent || response.destroyed) return
  const bytes = Buffer.from(toJson(body))
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
  })
  response.end(bytes)
}
