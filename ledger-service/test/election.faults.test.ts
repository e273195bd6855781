import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Command,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { findFreePort } from '@cairn/local/free-port'
import { readUntilAnswered } from '@cairn/local/repeated-read'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { chooseTimeLimit, PATIENCE_MS } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFigure } from './support/figure.ts'
import { createTestSigning } from './support/test-signing.ts'

const TAKEOVER_MS = 2_000
const TAKEOVER_MS_MAX = chooseTimeLimit(TAKEOVER_MS)
const TOKEN = 'test-token-'.repeat(4)
const LEDGERS = 4
const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }

interface Instance {
  process: ChildProcess
  client: LedgerClient
  second: LedgerClient
  /** The clients of all ledgers. */
  clients: readonly LedgerClient[]
}

let database: TestDatabase
let folder: string
const instances: Instance[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  folder = (await createTestSigning()).checkpointDir
  instances.push(await startInstance(), await startInstance())
})
afterAll(async () => {
  for (const { process: child } of instances) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await database.drop()
})

async function startInstance(): Promise<Instance> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/serve.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      LEDGERS: String(LEDGERS),
      SERVICE_TOKEN: TOKEN,
      LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
      LEDGER_PORT: String(port),
      LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: folder,
    },
  })
  const url = `http://127.0.0.1:${port}`
  const isHealthy = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const deadline = performance.now() + PATIENCE_MS; !(await isHealthy()); await delay(100)) {
    if (performance.now() < deadline) continue
    child.kill('SIGKILL')
    throw new Error('the instance did not start')
  }
  const openClient = (ledger: number) => createLedgerClient({ url, token: TOKEN, ledger })
  return {
    process: child,
    client: openClient(1),
    second: openClient(2),
    clients: Array.from({ length: LEDGERS }, (_, index) => openClient(index + 1)),
  }
}

function createActivation(): Command {
  const data = { investorId: createId(Date.now()), referrerId: null }
  return { type: 'ActivateInvestor', data, ...envelope }
}

function activate(client: LedgerClient) {
  return client.submit(createActivation())
}

test('either instance takes commands; one of them writes, both see and prove the log', async () => {
  const [first, second] = instances
  if (first === undefined || second === undefined) throw new Error('two instances')
  for (const { client } of [first, second, first, second]) {
    expect(await activate(client)).toMatchObject({ outcome: 'recorded' })
  }
  const waiting = second.client.events({ after: 3n, waitSeconds: 30, limit: 10 })
  await delay(500)
  await activate(first.client)
  expect((await waiting).events.map(({ seq }) => seq)).toEqual([4n])
  for (const { client } of [first, second]) {
    expect((await client.ask('head', { size: null })).size).toBe(5n)
    expect((await readUntilAnswered(() => client.ask('check', {}))).problems).toEqual([])
  }
})

test('either instance takes linked commands and dry runs', async () => {
  for (const { client } of instances) {
    const before = (await client.ask('head', { size: null })).size
    expect(await client.submitDryRun([createActivation(), createActivation()])).toMatchObject([
      { outcome: 'accepted', event: { linked: { index: 0, length: 2 } } },
      { outcome: 'accepted', event: { linked: { index: 1, length: 2 } } },
    ])
    expect((await client.ask('head', { size: null })).size).toBe(before)
    expect(await client.submitLinked([createActivation(), createActivation()])).toMatchObject([
      { outcome: 'recorded', event: { seq: before, linked: { index: 0, length: 2 } } },
      { outcome: 'recorded', event: { seq: before + 1n, linked: { index: 1, length: 2 } } },
    ])
  }
})

test('two ledgers of one installation have separate logs, money and keys', async () => {
  const [{ client, second } = instances[0] as Instance] = instances
  const before = (await client.ask('head', { size: null })).size
  expect(await activate(second)).toMatchObject({ event: { seq: 0n } })
  const transactionId = createId(Date.now())
  const data = { transactionId, amountMinor: 900n, note: null }
  const keyed = { type: 'FundReserve', data, ...envelope, key: 'the same key' } as const
  expect(await second.submit(keyed)).toMatchObject({ isReplay: false, event: { seq: 1n } })
  expect(await client.submit(keyed)).toMatchObject({ isReplay: false, event: { seq: before } })
  expect((await second.ask('head', { size: null })).size).toBe(2n)
  expect((await readUntilAnswered(() => second.ask('check', {}))).problems).toEqual([])
  const { verifierKeys } = await second.ask('receipt', { seq: 1n })
  expect(verifierKeys[0]).toMatch(/^cairn\.localhost\/ledger\/2\+/)
})

/**
 * Kills one instance. Returns the milliseconds until the other instance has recorded a command in
 * each of the given ledgers.
 */
async function measureTakeover(dying: Instance, ledgers: readonly LedgerClient[]): Promise<number> {
  // A busy machine can report the exit later than the database releases the locks.
  const since = Date.now()
  dying.process.kill('SIGKILL')
  await once(dying.process, 'exit')
  await Promise.all(
    ledgers.map((client) => {
      const readOutcome = () =>
        activate(client).then(
          (answer) => answer.outcome,
          () => 'unknown',
        )
      return expect.poll(readOutcome, { interval: 50 }).toBe('recorded')
    }),
  )
  return Date.now() - since
}

test('when the active instance is killed, the other one takes all its ledgers within two seconds', async ({
  task,
}) => {
  const [first, second] = instances
  if (first === undefined || second === undefined) throw new Error('two instances')
  const { size } = await second.client.ask('head', { size: null })
  const takenMs = await measureTakeover(first, second.clients)
  expect(takenMs).toBeLessThan(TAKEOVER_MS_MAX)
  expect((await second.client.ask('head', { size: null })).size).toBe(size + 1n)
  expect((await readUntilAnswered(() => second.client.ask('check', {}))).problems).toEqual([])
  recordFigure(task, `${takenMs} ms`)
})

test('sabotaged twin: a lock that outlives its holder prevents the takeover', async () => {
  const [, second] = instances
  if (second === undefined) throw new Error('two instances')
  const third = await startInstance()
  instances.push(third)
  const superuser = new pg.Client({ connectionString: database.url })
  const observer = new pg.Client({ connectionString: database.url })
  await Promise.all([superuser.connect(), observer.connect()])
  // This session is already waiting for the lock, so it gets the lock before instances that poll.
  const outliving = superuser
    .query(
      `select pg_advisory_lock(classid::int, objid::int) from pg_locks
       where locktype = 'advisory' and objid = 1 and granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    .then(() => delay(TAKEOVER_MS))
    .finally(() => superuser.end())
  const countWaiting = async () =>
    (
      await observer.query(
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount
  await expect.poll(countWaiting).toBe(1)
  await observer.end()
  expect(await measureTakeover(second, [third.client])).toBeGreaterThanOrEqual(TAKEOVER_MS)
  await outliving
})
