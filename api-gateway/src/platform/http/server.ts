import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerTls } from '@cairn/service-kit/service-tls'

const HEADERS_TIMEOUT_MS = 5_000
// The time limit of an upload is a minute. All other bodies have a shorter limit.
const REQUEST_TIMEOUT_MS = 60_000
/**
 * A client that reads nothing of its answer for this time is disconnected. The time is long, because
 * a proxy reads for a slow client in large steps, and a phone can lose its network for a while.
 */
const UNREAD_TIMEOUT_MS = 180_000
const CHECK_INTERVAL_MS = 1_000
const HEADER_BYTES_MAX = 16 * 1024
const REQUESTS_PER_SOCKET_MAX = 1_000
const CONNECTIONS_MAX = 4_000
const DRAIN_MS = 4_000
const IDLE_CHECK_MS = 50

/**
 * Starts the server. Without `tls`, the server accepts plain HTTP. The client must then be on this
 * machine or be a proxy that terminates TLS.
 */
export async function listen(
  listener: RequestListener,
  options: {
    host: string
    port: number
    tls?: ServerTls | null
    /** Other than the default only in tests. */
    unreadTimeoutMs?: number
  },
): Promise<Server> {
  const { host, port, tls = null, unreadTimeoutMs = UNREAD_TIMEOUT_MS } = options
  const limits = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    handshakeTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
  }
  const answer: RequestListener = (request, response) => {
    disconnectIfUnread(response, unreadTimeoutMs)
    listener(request, response)
  }
  const server =
    tls === null ? createServer(limits, answer) : createTlsServer({ ...limits, ...tls }, answer)
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET_MAX
  server.maxConnections = CONNECTIONS_MAX
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  await promise
  return server
}

/**
 * Closes the connection if the client has read nothing for the time while a part of the answer
 * waits. Otherwise clients that do not read could occupy all connections. A handler that is still
 * working and an event stream without events have nothing that waits, so they go on.
 */
function disconnectIfUnread(response: ServerResponse, timeoutMs: number): void {
  response.setTimeout(timeoutMs, () => {
    const { socket } = response
    if (socket !== null && socket.writableLength > 0) socket.destroy()
  })
}

/**
 * Stops the server. Running requests can complete. After `DRAIN_MS`, the server closes the
 * connections that remain.
 */
export async function drainServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  // Without the header `Connection: close`, a client could send more requests on an open
  // connection.
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'))
  const looking = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await promise
  clearInterval(looking)
  clearTimeout(timer)
}
