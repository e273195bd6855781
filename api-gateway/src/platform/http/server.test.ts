import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openSocket } from '../../../testing/raw-request.ts'
import { listen } from './server.ts'

const UNREAD_TIMEOUT_MS = 200
/** More than the buffers of a connection hold. */
const LONG_ANSWER = Buffer.alloc(64 * 1024 * 1024)

const opened: { servers: Server[]; sockets: Socket[] } = { servers: [], sockets: [] }
afterEach(() => {
  for (const socket of opened.sockets.splice(0)) socket.destroy()
  for (const server of opened.servers.splice(0)) server.close()
})

/** Starts a server. Returns its URL and its first connection. */
async function start(listener: RequestListener, unreadTimeoutMs: number) {
  const server = await listen(listener, { host: '127.0.0.1', port: 0, unreadTimeoutMs })
  opened.servers.push(server)
  // The cast is safe because a server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  const { promise: whenConnected, resolve } = Promise.withResolvers<Socket>()
  server.once('connection', resolve)
  return { url: `http://127.0.0.1:${port}`, whenConnected }
}

/** Sends a request and reads nothing. */
function request(url: string): Socket {
  const socket = openSocket(url)
  opened.sockets.push(socket)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  return socket
}

const sendLongAnswer: RequestListener = (_, response) => void response.end(LONG_ANSWER)

test('a client that reads nothing of its answer is disconnected', async () => {
  const { url, whenConnected } = await start(sendLongAnswer, UNREAD_TIMEOUT_MS)
  request(url)
  const connection = await whenConnected
  if (!connection.destroyed) await once(connection, 'close')
  expect(connection.destroyed).toBe(true)
})

test('sabotaged twin: without the limit, it stays connected', async () => {
  const [limited, unlimited] = [
    await start(sendLongAnswer, UNREAD_TIMEOUT_MS),
    await start(sendLongAnswer, 0),
  ]
  request(unlimited.url)
  const lasting = await unlimited.whenConnected
  request(limited.url)
  const closed = await limited.whenConnected
  if (!closed.destroyed) await once(closed, 'close')
  expect(lasting.destroyed).toBe(false)
})

test('a client that waits for a slow handler gets its answer', async () => {
  const answerLate: RequestListener = async (_, response) => {
    await delay(3 * UNREAD_TIMEOUT_MS)
    response.end('late')
  }
  const { url } = await start(answerLate, UNREAD_TIMEOUT_MS)
  expect(await (await fetch(url)).text()).toBe('late')
})

test('an event stream without events stays open', async () => {
  const streamLate: RequestListener = async (_, response) => {
    response.write('first\n')
    await delay(3 * UNREAD_TIMEOUT_MS)
    response.end('last\n')
  }
  const { url } = await start(streamLate, UNREAD_TIMEOUT_MS)
  expect(await (await fetch(url)).text()).toBe('first\nlast\n')
})
