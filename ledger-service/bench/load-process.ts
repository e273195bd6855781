import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { toJson } from '@cairn/ledger-contracts'
import { pick } from './books.ts'
import { fund } from './commands.ts'
import type { LoadJob, LoadResult } from './load.ts'

process.once('message', (message) => {
  // Sent by this folder's own load.ts.
  run(message as LoadJob).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ problem: String(error) }),
  )
})

process.once('disconnect', () => process.exit())

async function run(job: LoadJob): Promise<LoadResult> {
  const { connections, seconds, requestsPerSecond, commandsPerRequest } = job
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(job.port)))
  const tookMs: number[] = []
  const began = performance.now()
  const until = began + seconds * 1_000
  const everyMs = requestsPerSecond === null ? null : (connections / requestsPerSecond) * 1_000

  async function client(ask: Ask, place: number): Promise<void> {
    let dueAt = began + ((everyMs ?? 0) * place) / connections
    while (performance.now() < until) {
      if (everyMs !== null) await delay(Math.max(0, dueAt - performance.now()))
      const startedAt = everyMs === null ? performance.now() : dueAt
      requireRecorded(await ask(requestBytes(job)), commandsPerRequest)
      tookMs.push(performance.now() - startedAt)
      if (everyMs !== null) dueAt += everyMs
    }
  }
  await Promise.all(sockets.map(({ ask }, place) => client(ask, place)))
  const elapsed = (performance.now() - began) / 1_000
  for (const { socket } of sockets) socket.destroy()
  tookMs.sort((left, right) => left - right)
  return {
    commandsPerSecond: (tookMs.length * commandsPerRequest) / elapsed,
    p99Ms: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0,
  }
}

function requestBytes({ token, lane, commandsPerRequest, investors }: LoadJob): string {
  const commands = Array.from({ length: commandsPerRequest }, () => fund(pick(investors), 100n))
  const body = toJson({ ledger: 1, lane, commands })
  return (
    `POST /v1/commands HTTP/1.1\r\nhost: ledger\r\nauthorization: Bearer ${token}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}

function requireRecorded(body: string, count: number): void {
  // Counted, not parsed: the load must not cost more than what it measures.
  if (body.split('"outcome":"recorded"').length - 1 !== count) throw new Error(body.slice(0, 500))
}

type Ask = (request: string) => Promise<string>

/** One keep-alive connection with one request under way: HTTP as plain as HTTP can be. */
async function open(port: number): Promise<{ socket: Socket; ask: Ask }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.setEncoding('latin1')
  let received = ''
  let answer: { resolve(body: string): void; reject(error: Error): void } | null = null
  socket.on('data', (chunk: string) => {
    received += chunk
    const at = received.indexOf('\r\n\r\n')
    if (at < 0) return
    const length = Number(/content-length: (\d+)/i.exec(received.slice(0, at))?.[1])
    if (received.length < at + 4 + length) return
    const body = received.slice(at + 4)
    received = ''
    answer?.resolve(body)
  })
  socket.on('close', () => answer?.reject(new Error('the service closed the connection')))
  return {
    socket,
    ask: (request) =>
      new Promise((resolve, reject) => {
        answer = { resolve, reject }
        socket.write(request)
      }),
  }
}
