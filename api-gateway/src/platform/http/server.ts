import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerTls } from '@cairn/service-kit/service-tls'

const HEADERS_TIMEOUT_MS = 5_000
// The time limit of an upload is a minute. All other bodies have a shorter limit.
const REQUEST_TIMEOUT_MS = 60_000
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
  { host, port, tls = null }: { host: string; port: number; tls?: ServerTls | null },
): Promise<Server> {
  const limits = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    handshakeTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
  }
  const server =
    tls === null ? createServer(limits, listener) : createTlsServer({ ...limits, ...tls }, listener)
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET_MAX
  server.maxConnections = CONNECTIONS_MAX
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  await promise
  return server
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
