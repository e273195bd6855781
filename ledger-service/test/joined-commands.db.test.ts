import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  type Answer,
  type Command,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLedgerRoutes } from '../src/service/http/routes.ts'
import { createHttpServer, type Route } from '../src/service/http/server.ts'
import { startTestLedger, type TestLedger } from './support/test-ledger.ts'

const TOKEN = 'gateway-token-'.padEnd(40, '0')

interface Sent {
  readonly commands: number
  readonly requestId: string | undefined
}

let ledger: TestLedger
let client: LedgerClient
let url: string
let end: () => Promise<void>
let sent: Sent[] = []
beforeAll(async () => {
  ledger = await startTestLedger()
  const routes: Readonly<Record<string, Route>> = createLedgerRoutes({
    ledgers: new Map([[1, ledger.parts]]),
    checkHealth: async () => ({ isOk: true }),
  })
  const log = pino({ level: 'silent' })
  const server = createHttpServer({ routes, tokens: { gateway: [TOKEN] }, tls: null, log })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe, because a server that listens on TCP has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = openClient({ joinsCommands: true })
  end = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
})
afterAll(async () => {
  await end()
  await ledger.close()
})
beforeEach(() => {
  sent = []
})

function openClient(options: { joinsCommands: boolean }): LedgerClient {
  return createLedgerClient({
    url,
    token: TOKEN,
    requestId: () => 'request-of-the-first',
    fetch: (address, init) => {
      const { commands } = JSON.parse(init.body ?? '{}')
      sent.push({ commands: commands.length, requestId: init.headers['x-request-id'] })
      return fetch(address, init)
    },
    ...options,
  })
}

function fund(changes: Partial<Command> = {}): Command {
  const data = { transactionId: createId(Date.now()), amountMinor: 100n, note: null }
  const id = createId(Date.now())
  const rest = { actor: 'admin:ada', key: id, requestId: `request-${id}`, effectiveAt: null }
  // The cast is safe, because a change replaces a member by one of the same type.
  return { type: 'FundReserve', data, ...rest, ...changes } as Command
}

const describeAnswer = (answer: Answer) =>
  answer.outcome === 'recorded' ? String(answer.event.data.transactionId) : answer.code
// The cast is safe, because each command of this test funds the reserve.
const getId = (command: Command) => (command.data as { transactionId: string }).transactionId

test('the commands of one turn are sent together, and each gets its own answer', async () => {
  const commands = Array.from({ length: 30 }, () => fund())
  const again = commands[4] ?? fund()
  const answers = await Promise.all([...commands, again].map((command) => client.submit(command)))
  expect(sent).toEqual([{ commands: 31, requestId: undefined }])
  expect(answers.map(describeAnswer)).toEqual([...commands, again].map(getId))
  const seqs = answers.map((answer) => answer.outcome === 'recorded' && answer.event.seq)
  expect(seqs.at(-1)).toBe(seqs[4])
  expect(new Set(seqs).size).toBe(30)
})

test('a command that is alone in its turn keeps the id of its request', async () => {
  await client.submit(fund())
  await client.submit(fund())
  expect(sent).toEqual([
    { commands: 1, requestId: 'request-of-the-first' },
    { commands: 1, requestId: 'request-of-the-first' },
  ])
})

test('a refused or malformed command does not affect the commands beside it', async () => {
  const zero = { transactionId: createId(Date.now()), amountMinor: 0n, note: null }
  const id = createId(Date.now())
  const unknown = { transactionId: id, paymentOptionId: null, approvedMinor: 100n }
  const good = [fund(), fund()]
  const answers = await Promise.all([
    client.submit(good[0] ?? fund()),
    client.submit(fund({ data: zero } as Partial<Command>)),
    client.submit(fund({ type: 'ApproveDeposit', data: unknown } as Partial<Command>)),
    client.submit(good[1] ?? fund()),
  ])
  expect(sent).toHaveLength(1)
  expect(answers.map(({ outcome }) => outcome)).toEqual([
    'recorded',
    'failed',
    'refused',
    'recorded',
  ])
})

test('a command that the caller may not send fails alone, and the others are sent again', async () => {
  const good = [fund(), fund()]
  const results = await Promise.allSettled([
    client.submit(good[0] ?? fund()),
    client.submit(fund({ actor: 'system:server' })),
    client.submit(good[1] ?? fund()),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(sent.map(({ commands }) => commands)).toEqual([3, 1, 1, 1])
  // Sabotaged twin: sent as one request without a second attempt, the permitted commands fail too.
  await expect(
    client.submitMany([fund(), fund({ actor: 'system:server' })], 'interactive'),
  ).rejects.toThrow('403')
})

test('a command without a key is sent alone, because a request with it is not repeated', async () => {
  await Promise.all([fund(), fund({ key: null }), fund()].map((command) => client.submit(command)))
  expect(sent.map(({ commands }) => commands).sort()).toEqual([1, 2])
})

test('at most 100 commands are joined, and without the option none is', async () => {
  const commands = Array.from({ length: 250 }, () => fund())
  await Promise.all(commands.map((command) => client.submit(command)))
  expect(sent.map((request) => request.commands)).toEqual([100, 100, 50])
  sent = []
  const alone = openClient({ joinsCommands: false })
  await Promise.all([fund(), fund()].map((command) => alone.submit(command)))
  expect(sent.map((request) => request.commands)).toEqual([1, 1])
})

test('if the ledger does not answer, each joined command fails', async () => {
  const dead = createLedgerClient({ url: 'http://127.0.0.1:9', token: TOKEN, joinsCommands: true })
  const results = await Promise.allSettled([dead.submit(fund()), dead.submit(fund())])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
