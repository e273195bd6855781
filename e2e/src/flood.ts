import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Sends requests in steps of this length. */
const STEP_MS = 5
/** New connections are opened in groups, because the server accepts a limited number at once. */
const OPENED_AT_ONCE = 50

export interface Flood {
  /** The number of answers by status. 0 counts the calls whose connection broke. */
  readonly byStatus: ReadonlyMap<number, number>
  readonly seconds: number
  /** The times of the calls that were answered with 200, in ascending order. */
  readonly acceptedMs: readonly number[]
  /** The calls that were not sent, because no connection was free. */
  readonly unsent: number
}

export interface Target {
  pool: Pool
  /** Returns the bytes of the next request. */
  createRequest(): string
}

/** Open connections. */
export interface Pool {
  /** Sends a request on a free connection. Returns null if no connection is free. */
  send(request: string): Promise<number> | null
  close(): void
}

interface Connection {
  readonly opened: Promise<void>
  /** Sends a request and returns the status of the answer, or 0 if the connection broke. */
  send(request: string): Promise<number>
  isOpen(): boolean
  close(): void
}

export function getPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function countRefused({ byStatus }: Flood): number {
  return (byStatus.get(429) ?? 0) + (byStatus.get(503) ?? 0)
}

/** Makes calls with `clients` clients that each wait for the answer to their call. */
export async function callWithClients(
  target: Target,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Flood> {
  const record = createRecord()
  const callInLoop = async () => {
    while (record.getSeconds() < seconds) await record.measure(target)
  }
  await Promise.all(Array.from({ length: clients }, callInLoop))
  return record.read()
}

/** Makes `perSecond` calls a second, whether or not earlier calls were answered. */
export async function callAtRate(
  target: Target,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Flood> {
  const record = createRecord()
  const calls: Promise<void>[] = []
  let made = 0
  let unsent = 0
  while (record.getSeconds() < seconds) {
    for (const due = record.getSeconds() * perSecond; made < due; made += 1) {
      const call = record.measure(target)
      if (call === null) unsent += 1
      else calls.push(call)
    }
    await delay(STEP_MS)
  }
  const ended = record.getSeconds()
  await Promise.all(calls)
  return { ...record.read(), seconds: ended, unsent }
}

function createRecord() {
  const began = performance.now()
  const byStatus = new Map<number, number>()
  const acceptedMs: number[] = []
  const getSeconds = () => (performance.now() - began) / 1_000
  return {
    getSeconds,
    /** Returns null if no connection is free. */
    measure: ({ pool, createRequest }: Target): Promise<void> | null => {
      const sentAt = performance.now()
      const sending = pool.send(createRequest())
      if (sending === null) return null
      return sending.then((status) => {
        byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
        if (status === 200) acceptedMs.push(performance.now() - sentAt)
      })
    },
    read: (): Flood => ({
      byStatus,
      seconds: getSeconds(),
      acceptedMs: acceptedMs.toSorted((one, other) => one - other),
      unsent: 0,
    }),
  }
}

/** Opens `size` connections to the server. A connection that the server closes is replaced. */
export async function openPool(url: string, size: number): Promise<Pool> {
  const free: Connection[] = []
  for (let opened = 0; opened < size; opened += OPENED_AT_ONCE) {
    const group = Array.from({ length: OPENED_AT_ONCE }, () => openConnection(url))
    await Promise.all(group.map((connection) => connection.opened))
    free.push(...group)
  }
  return {
    send: (request) => {
      let connection = free.shift()
      if (connection === undefined) return null
      if (!connection.isOpen()) connection = openConnection(url)
      const used = connection
      return used.send(request).finally(() => free.push(used))
    },
    close: () => {
      for (const connection of free) connection.close()
    },
  }
}

/** Parses only what the load needs, because node:http would need more time than the server. */
function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  let call: { resolve(status: number): void } | null = null
  let received = ''
  let isOpen = true
  const finish = (status: number) => {
    const ended = call
    call = null
    ended?.resolve(status)
  }
  socket.on('error', () => {})
  const opened = new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
  socket.on('close', () => {
    isOpen = false
    finish(0)
  })
  socket.on('data', (text: string) => {
    received += text
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    const headers = received.slice(0, head).toLowerCase()
    const length = Number(/\r\ncontent-length: (\d+)/.exec(headers)?.[1] ?? 0)
    if (received.length < head + 4 + length) return
    received = ''
    if (headers.includes('\r\nconnection: close')) {
      isOpen = false
      socket.end()
    }
    finish(Number(headers.slice('http/1.1 '.length, 'http/1.1 200'.length)))
  })
  return {
    opened,
    isOpen: () => isOpen,
    close: () => socket.destroy(),
    send: (request) =>
      new Promise((resolve) => {
        call = { resolve }
        socket.write(request, 'latin1')
      }),
  }
}
