import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient, newId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { expect, test } from 'vitest'
import { noteFigure } from './testing/figure.ts'

const TOKEN = 'test-token-'.repeat(4)
const ROUNDS = 5
const CLIENTS = 32
const LOST_EVERY = 100
const ACKNOWLEDGED_MIN = 5_000
const INVESTORS = 50
const envelope = { actor: 'system:torture', requestId: null, effectiveAt: null }

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function startProcess(
  database: TestDatabase,
  port: number,
  folder: string,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [new URL('./serve.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      SERVICE_TOKEN: TOKEN,
      LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
      LEDGER_PORT: String(port),
      LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: folder,
    },
  })
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return child
    await delay(100)
  }
  throw new Error('the ledger did not start')
}

test('five kill -9 under load lose nothing acknowledged and apply nothing twice', {
  timeout: 180_000,
}, async ({ task }) => {
  const run = await killUnderLoad({ isKeyKept: true })
  expect(run.problems).toEqual([])
  expect(run.stored).toEqual(run.acknowledged)
  expect(run.acknowledged.size).toBeGreaterThanOrEqual(ACKNOWLEDGED_MIN)
  noteFigure(task, `${run.acknowledged.size} acknowledged, ${run.unknown} lost answers`)
})

test('a client that forgets its key after a lost answer pays twice, so the test can see it', {
  timeout: 180_000,
}, async () => {
  const run = await killUnderLoad({ isKeyKept: false })
  expect(run.problems).toEqual([])
  expect(run.stored.size).toBeGreaterThan(run.acknowledged.size)
})

/** What stands in the log afterwards, and what clients were told, each by transaction id. */
async function killUnderLoad({ isKeyKept }: { isKeyKept: boolean }) {
  const database = await createTestDatabase()
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-checkpoints-'))
  const client = createLedgerClient({ url: `http://127.0.0.1:${port}`, token: TOKEN })
  let child = await startProcess(database, port, folder)
  const investors = await activate(client)
  const acknowledged = new Map<string, bigint>()
  const state = { isRunning: true, answeredInRound: 0, unknown: 0, calls: 0 }

  /**
   * After a lost answer: the same request under the same key, until it is answered. Beside those
   * that the kills lose, one answer in a hundred never reaches the client.
   */
  async function fund(investorId: string): Promise<void> {
    let transactionId = newId(Date.now())
    while (true) {
      const data = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
      const answer = await client
        .submit({
          type: 'FundWallet',
          data: { ...data, transactionId, investorId },
          key: transactionId,
          ...envelope,
        })
        .catch(() => null)
      state.calls += 1
      const isLost = state.calls % LOST_EVERY === 0
      if (answer?.outcome === 'recorded' && !isLost) {
        acknowledged.set(transactionId, answer.event.seq)
        return
      }
      if (answer?.outcome === 'refused') throw new Error(`refused ${JSON.stringify(answer)}`)
      state.unknown += 1
      if (!isKeyKept) transactionId = newId(Date.now())
      await delay(50)
    }
  }

  async function runClient(index: number): Promise<void> {
    const investorId = investors[index % INVESTORS] ?? ''
    while (state.isRunning) {
      await fund(investorId)
      state.answeredInRound += 1
    }
  }

  const failed = Promise.withResolvers<never>()
  const clients = Array.from({ length: CLIENTS }, (_, index) => runClient(index))
  for (const client of clients) client.catch(failed.reject)
  for (let round = 0; round < ROUNDS; round += 1) {
    state.answeredInRound = 0
    const wanted = ACKNOWLEDGED_MIN / ROUNDS + 100
    while (state.answeredInRound < wanted) await Promise.race([delay(5), failed.promise])
    child.kill('SIGKILL')
    await once(child, 'exit')
    child = await startProcess(database, port, folder)
  }
  state.isRunning = false
  await Promise.all(clients)

  const { problems } = await client.ask('check', {})
  const stored = await listStored(database)
  child.kill('SIGTERM')
  await once(child, 'exit')
  await database.drop()
  return { acknowledged, stored, problems, unknown: state.unknown }
}

async function activate(client: LedgerClient): Promise<readonly string[]> {
  const investors = Array.from({ length: INVESTORS }, () => newId(Date.now()))
  const answers = await client.submitMany(
    investors.map((investorId) => ({
      type: 'ActivateInvestor' as const,
      data: { investorId, referrerId: null },
      key: null,
      ...envelope,
    })),
  )
  expect(answers.every(({ outcome }) => outcome === 'recorded')).toBe(true)
  return investors
}

async function listStored(database: TestDatabase): Promise<ReadonlyMap<string, bigint>> {
  const superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
  const { rows } = await superuser.query<{ id: string; seq: string }>(
    `select convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId' as id, seq
     from ledger.event where type = 'WalletFunded'`,
  )
  await superuser.end()
  return new Map(rows.map(({ id, seq }) => [id, BigInt(seq)]))
}
