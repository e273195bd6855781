import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { toJson } from '@cairn/ledger-contracts'
import { pickRandomItem } from './books.ts'
import { answerJob } from './child.ts'
import { createFunding } from './commands.ts'
import type { LoadJob, LoadResult } from './load.ts'

/**
 * The rate at which the load sends commands, in commands per second. It exceeds the highest rate of
 * the service. All requests are built before the measurement.
 */
const COMMANDS_PER_SECOND_MAX = 20_000
const READ_BYTES = 64 * 1024
const RECORDED = Buffer.from('"outcome":"recorded"')

answerJob(run)

async function run(job: LoadJob): Promise<LoadResult> {
  const { connections, seconds, requestsPerSecond, commandsPerRequest } = job
  const callers = await Promise.all(Array.from({ length: connections }, () => open(job.port)))
  const ready = buildRequests(job)
  const tookMs: number[] = []
  const began = performance.now()
  const until = began + seconds * 1_000
  const everyMs = requestsPerSecond === null ? null : (connections / requestsPerSecond) * 1_000

  async function sendInLoop(ask: Ask, place: number): Promise<void> {
    let dueAt = began + ((everyMs ?? 0) * place) / connections
    while (performance.now() < until) {
      if (everyMs !== null) await delay(Math.max(0, dueAt - performance.now()))
      const startedAt = everyMs === null ? performance.now() : dueAt
      requireRecorded(await ask(ready.pop() ?? encodeRequest(job)), commandsPerRequest)
      tookMs.push(performance.now() - startedAt)
      if (everyMs !== null) dueAt += everyMs
    }
  }
  await Promise.all(callers.map(({ ask }, place) => sendInLoop(ask, place)))
  const elapsed = (performance.now() - began) / 1_000
  for (const { socket } of callers) socket.destroy()
  tookMs.sort((left, right) => left - right)
  return {
    commandsPerSecond: (tookMs.length * commandsPerRequest) / elapsed,
    p99Ms: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0,
  }
}

/** The requests are built in advance, because this process shares its cores with the service. */
function buildRequests(job: LoadJob): Buffer[] {
  const { seconds, commandsPerRequest, requestsPerSecond } = job
  const perSecond = requestsPerSecond ?? COMMANDS_PER_SECOND_MAX / commandsPerRequest
  return Array.from({ length: Math.ceil(seconds * perSecond) }, () => encodeRequest(job))
}

function encodeRequest({ token, lane, commandsPerRequest, investors }: LoadJob): Buffer {
  const commands = Array.from({ length: commandsPerRequest }, () =>
    createFunding(pickRandomItem(investors), 100n),
  )
  const body = toJson({ ledger: 1, lane, commands })
  return Buffer.from(
    `POST /v1/commands HTTP/1.1\r\nhost: ledger\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

function requireRecorded(answer: Buffer, count: number): void {
  // Answers are counted and not parsed, so that the load process needs little time.
  let found = 0
  for (let at = answer.indexOf(RECORDED); at >= 0; at = answer.indexOf(RECORDED, at + 1)) found += 1
  if (found !== count) throw new Error(answer.toString('utf8', 0, 500))
}

type Ask = (request: Buffer) => Promise<Buffer>

/** Opens a keep-alive connection over a plain socket. Only one request may be in progress. */
async function open(port: number): Promise<{ socket: Socket; ask: Ask }> {
  let received: Buffer | null = null
  let answer: { resolve(answer: Buffer): void; reject(error: Error): void } | null = null
  const take = (size: number, into: Uint8Array): boolean => {
    // `chunk` shares the buffer of the socket. The next answer overwrites this buffer, but the next
    // request is sent only after the current answer has been read.
    const chunk = Buffer.from(into.buffer, into.byteOffset, size)
    const whole: Buffer = received === null ? chunk : Buffer.concat([received, chunk])
    const isComplete = isWhole(whole)
    received = isComplete ? null : Buffer.from(whole)
    if (isComplete) answer?.resolve(whole)
    return true
  }
  const onread = { buffer: Buffer.alloc(READ_BYTES), callback: take }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
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

function isWhole(received: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1])
  return received.length >= end + 4 + length
}
