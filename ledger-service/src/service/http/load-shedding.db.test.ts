import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import {
  type Answer,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TEST_TOKEN } from '../../../test/support/service-process.ts'
import { startTestLedger, type TestLedger } from '../../../test/support/test-ledger.ts'
import { QUEUED_MAX } from '../../log/queue.ts'
import { wrapSessions } from '../../log/store.ts'
import { createLedgerRoutes } from './routes.ts'
import { createHttpServer, type Route } from './server.ts'

const MIB = 1024 * 1024
/** The largest size of a batch. */
const BATCH_MAX = 500

type Server = ReturnType<typeof createHttpServer>

let ledger: TestLedger
let routes: Readonly<Record<string, Route>>
let server: Server
let url: string
/** Commits wait for this promise. */
let held: Promise<void> = Promise.resolve()
let release = () => {}
const sockets: Socket[] = []

beforeAll(async () => {
  const hold = wrapSessions((session) => ({
    ...session,
    append: async (move, rows) => {
      await held
      return session.append(move, rows)
    },
  }))
  ledger = await startTestLedger({ wrapStore: hold })
  const ledgers = new Map([[1, ledger.parts]])
  routes = createLedgerRoutes({ ledgers, checkHealth: async () => ({ isOk: true }) })
})
afterAll(() => ledger.close())

beforeEach(() => {
  ;({ promise: held, resolve: release } = Promise.withResolvers<void>())
})
afterEach(async () => {
  release()
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

async function serve(served: typeof routes): Promise<LedgerClient> {
  server = createHttpServer({
    routes: served,
    tokens: { ledger: [TEST_TOKEN] },
    tls: null,
    log: pino({ level: 'silent' }),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe, because a server that listens on TCP has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createLedgerClient({ url, token: TEST_TOKEN, timeoutMs: 600_000 })
}

function fund() {
  return {
    type: 'FundReserve',
    data: { transactionId: createId(Date.now()), amountMinor: 100n, note: null },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  } as const
}

/**
 * Submits commands until the queue is full. The writer takes two batches of them: the batch that it
 * commits and the next batch.
 */
async function fillQueue(): Promise<readonly Promise<readonly Answer[]>[]> {
  const { writer } = ledger.parts
  const accepted: Promise<readonly Answer[]>[] = []
  const submit = () => {
    const answering = writer.submit(Array.from({ length: BATCH_MAX }, fund), 'interactive')
    if (answering === null) throw new Error('the queue has no room')
    accepted.push(answering)
  }
  for (let taken = 0; taken < 2; taken += 1) {
    submit()
    await expect.poll(writer.countQueued).toBe(0)
  }
  while (writer.hasRoom()) submit()
  expect(writer.countQueued()).toBe(QUEUED_MAX)
  return accepted
}

/** Sends the headers of a call with a body of `bytes`, and only the given part of the body. */
async function sendHeaders({ bytes, body = '' }: { bytes: number; body?: string }) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = ['POST /v1/commands HTTP/1.1', 'host: ledger', `authorization: Bearer ${TEST_TOKEN}`]
  socket.write(`${head.join('\r\n')}\r\ncontent-length: ${bytes}\r\n\r\n${body}`)
  return { readAnswer: () => answer, socket }
}

const statusOf = (answer: string) => answer.slice(0, 'HTTP/1.1 429'.length)

describe('a ledger whose queue is full', () => {
  test('refuses calls before it reads them, keeps a bounded queue, and accepts calls again', async () => {
    const client = await serve(routes)
    const accepted = await fillQueue()
    const unsent = await sendHeaders({ bytes: 1_000 })
    await expect.poll(() => statusOf(unsent.readAnswer())).toBe('HTTP/1.1 429')
    expect(unsent.readAnswer().toLowerCase()).toContain('retry-after: 1')
    const refused = await Promise.all(Array.from({ length: 1_000 }, () => client.submit(fund())))
    const codes = refused.map((answer) => (answer.outcome === 'failed' ? answer.code : 'none'))
    expect(new Set(codes)).toEqual(new Set(['OVERLOADED']))
    expect(ledger.parts.writer.countQueued()).toBe(QUEUED_MAX)

    release()
    const answers = (await Promise.all(accepted)).flat()
    // On a busy machine, the last accepted commands can reach their deadline before they start.
    const others = answers.filter(
      (answer) =>
        answer.outcome !== 'recorded' &&
        !(answer.outcome === 'failed' && answer.code === 'UNAVAILABLE'),
    )
    expect(others).toEqual([])
    expect((await client.submit(fund())).outcome).toBe('recorded')
    expect((await ledger.ask('check', {})).problems).toEqual([])
  })

  test('sabotaged twin: without the check, a call is read and parsed before it is refused', async () => {
    const { 'POST /v1/commands': commands, ...others } = routes
    if (commands === undefined) throw new Error('the routes have no commands')
    const { hasRoom: _, ...late } = commands
    await serve({ ...others, 'POST /v1/commands': late })
    const accepted = await fillQueue()
    const broken = await sendHeaders({ bytes: 1, body: '{' })
    await expect.poll(() => statusOf(broken.readAnswer())).toBe('HTTP/1.1 400')
    release()
    await Promise.all(accepted)
  })
})

test('calls whose bodies exceed the memory for bodies are refused before they are read', async () => {
  await serve(routes)
  const large = await Promise.all(
    Array.from({ length: 16 }, () => sendHeaders({ bytes: 4 * MIB, body: '{' })),
  )
  const another = () => sendHeaders({ bytes: 1, body: '{' })
  await expect
    .poll(async () => {
      const { readAnswer } = await another()
      await expect.poll(readAnswer).not.toBe('')
      return statusOf(readAnswer())
    })
    .toBe('HTTP/1.1 429')
  expect(large.map(({ readAnswer }) => readAnswer())).toEqual(large.map(() => ''))
  large[0]?.socket.destroy()
  await expect
    .poll(async () => {
      const { readAnswer } = await another()
      await expect.poll(readAnswer).not.toBe('')
      return statusOf(readAnswer())
    })
    .toBe('HTTP/1.1 400')
})
