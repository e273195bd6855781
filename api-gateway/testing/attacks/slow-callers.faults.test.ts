import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { listen } from '../../src/platform/http/server.ts'
import { openSocket } from '../raw-request.ts'
import { startTestGateway, type TestGateway } from '../test-gateway.ts'

const SLOW_CALLERS = Number(process.env.TORTURE_SLOW_CALLERS ?? 100)
// The time in milliseconds that the server allows for headers, plus one second.
const HEADERS_MS = 5_000 + 1_000
const BODY_MS = 15_000 + 1_000
/** The tolerance in milliseconds, because the server checks its limits only at intervals. */
const GRACE_MS = 1_000
/** New connections are opened in groups, because the kernel accepts a limited number at once. */
const OPENED_AT_ONCE = 50
const LOGIN = 'POST /api/v1/users/login HTTP/1.1\r\nhost: x\r\n'
const BODY =
  'x-requested-with: XMLHttpRequest\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n'

interface Crowd {
  /** The time for which each closed connection was open, in milliseconds. */
  closedMs: number[]
  closeConnections(): void
}

/** Opens connections that send a few bytes every half second and never complete a request. */
async function openSlowCrowd(
  url: string,
  count: number,
  { start, drip }: { start: string; drip: string },
): Promise<Crowd> {
  const sockets: Socket[] = []
  const closedMs: number[] = []
  const open = async () => {
    const socket = openSocket(url)
    sockets.push(socket)
    await once(socket, 'connect')
    const began = performance.now()
    socket.write(start)
    socket.once('close', () => closedMs.push(performance.now() - began))
    // This call discards the response.
    socket.resume()
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.readyState === 'open') socket.write(drip)
  }, 500)
  while (sockets.length < count) {
    const group = Math.min(OPENED_AT_ONCE, count - sockets.length)
    await Promise.all(Array.from({ length: group }, open))
  }
  return {
    closedMs,
    closeConnections: () => {
      clearInterval(dripping)
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Measures the response times of a normal client until `isOver` returns true. */
async function measureNormalClient(url: string, isOver: () => boolean): Promise<readonly number[]> {
  const tookMs: number[] = []
  while (!isOver()) {
    const began = performance.now()
    const response = await fetch(`${url}/api/v1/countries`)
    await response.arrayBuffer()
    tookMs.push(performance.now() - began)
    await delay(20)
  }
  return tookMs.toSorted((left, right) => left - right)
}

describe('T45 slow callers', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('are disconnected in time, and others are not delayed', async ({ task }) => {
    const half = SLOW_CALLERS / 2
    const headers = await openSlowCrowd(gateway.url, half, { start: LOGIN, drip: 'x-a: b\r\n' })
    const bodies = await openSlowCrowd(gateway.url, half, { start: LOGIN + BODY, drip: ' ' })
    const end = performance.now() + chooseTimeLimit(BODY_MS + 2 * GRACE_MS)
    const isOver = () =>
      performance.now() > end || headers.closedMs.length + bodies.closedMs.length === SLOW_CALLERS
    const tookMs = await measureNormalClient(gateway.url, isOver)
    headers.closeConnections()
    bodies.closeConnections()
    const p99 = tookMs[Math.floor(tookMs.length * 0.99)] ?? 0
    Object.assign(task.meta, {
      figure: `${SLOW_CALLERS} callers cut off after at most ${Math.round(Math.max(...headers.closedMs))} and ${Math.round(Math.max(...bodies.closedMs))} ms; others p99 ${Math.round(p99)} ms`,
    })
    expect(headers.closedMs).toHaveLength(half)
    expect(bodies.closedMs).toHaveLength(half)
    expect(Math.max(...headers.closedMs)).toBeLessThan(chooseTimeLimit(HEADERS_MS + GRACE_MS))
    expect(Math.max(...bodies.closedMs)).toBeLessThan(chooseTimeLimit(BODY_MS + GRACE_MS))
    expect(p99).toBeLessThan(chooseTimeLimit(200))
  })
})

describe('T45 their sabotaged twin, a server without timeouts', () => {
  const listenWithoutTimeouts: typeof listen = async (listener, { host, port }) => {
    const server = createServer({ headersTimeout: 0, requestTimeout: 0 }, listener)
    await new Promise<void>((resolve) => server.listen(port, host, resolve))
    return server
  }
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ listen: listenWithoutTimeouts })
  })
  afterAll(() => gateway?.stop())

  test('is caught: the connections stay open', async () => {
    const crowd = await openSlowCrowd(gateway.url, 20, { start: LOGIN, drip: 'x-a: b\r\n' })
    await delay(HEADERS_MS + GRACE_MS)
    const closed = crowd.closedMs.length
    crowd.closeConnections()
    expect(closed).toBe(0)
  })
})
