import { setTimeout as delay } from 'node:timers/promises'
import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ElectionSession } from '../src/log/election-session.ts'
import { choosePreferred } from '../src/log/preference.ts'
import { verifyLog } from '../src/proofs/verify.ts'
import { createPool } from '../src/service/database/pool.ts'
import { type ElectedInstance, startElectedInstance } from './support/elected-instance.ts'
import { createTestSigning } from './support/test-signing.ts'
import { createUnfencedStatement } from './support/unfenced-statement.ts'

const LEDGERS = 6
const ANSWERED_AFTER = 60

let database: TestDatabase
let superuser: pg.Pool
let signing: Awaited<ReturnType<typeof createTestSigning>>
let instances: ElectedInstance[]
beforeEach(async () => {
  database = await createTestDatabase()
  superuser = createPool({ url: database.url, max: 2, name: 'superuser' })
  signing = await createTestSigning(database.url)
  instances = []
})
afterEach(async () => {
  await Promise.all(instances.map((instance) => instance.close()))
  await superuser.end()
  await database.drop()
})

type Parts = Partial<Parameters<typeof startElectedInstance>[0]>

async function startInstance(changed: Parts = {}): Promise<ElectedInstance> {
  const instance = await startElectedInstance({ database, signing, ledgers: LEDGERS, ...changed })
  instances.push(instance)
  return instance
}

async function countConnections(
  pattern: string,
): Promise<readonly { name: string; count: number }[]> {
  const { rows } = await superuser.query(
    `select application_name as name, count(*)::int as count from pg_stat_activity
     where application_name ~ $1 and datname = current_database() group by 1 order by 1`,
    [pattern],
  )
  return rows
}

async function countActiveLedgers({ address }: ElectedInstance): Promise<number> {
  const { rows } = await superuser.query(
    'select count(*)::int as count from ledger.active_instance where address = $1',
    [address],
  )
  return rows[0].count
}

function fund(client: LedgerClient, transactionId = createId(Date.now())) {
  return client.submit({
    type: 'FundReserve',
    data: { transactionId, amountMinor: 100n, note: null },
    actor: 'system:test',
    key: transactionId,
    requestId: null,
    effectiveAt: null,
  })
}

/** Funds all ledgers through all instances until `stop` is called. Repeats an unanswered command. */
function startLoad() {
  const acknowledged = new Map<string, string>()
  let isRunning = true

  async function fundInLoop(client: LedgerClient, ledger: number): Promise<void> {
    while (isRunning) {
      const id = createId(Date.now())
      let answer = await fund(client, id).catch(() => null)
      while (isRunning && answer?.outcome !== 'recorded') {
        await delay(20)
        answer = await fund(client, id).catch(() => null)
      }
      if (answer?.outcome === 'recorded') acknowledged.set(`${ledger}/${id}`, `${answer.event.seq}`)
    }
  }

  const loops = instances.flatMap(({ clients }) =>
    clients.map((client, index) => fundInLoop(client, index + 1)),
  )
  return {
    acknowledged,
    waitForMore: async (count = ANSWERED_AFTER) => {
      const wanted = acknowledged.size + count
      await expect.poll(() => acknowledged.size).toBeGreaterThan(wanted)
    },
    stop: async () => {
      isRunning = false
      await Promise.all(loops)
    },
  }
}

async function countLost(acknowledged: ReadonlyMap<string, string>): Promise<number> {
  const { rows } = await superuser.query<{ id: string; seq: string }>(
    `select ledger_id || '/' || (convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId')
       as id, seq::text from ledger.event where type = 'ReserveFunded'`,
  )
  const stored = new Map(rows.map(({ id, seq }) => [id, seq]))
  return [...acknowledged].filter(([id, seq]) => stored.get(id) !== seq).length
}

/** Ends the election session of the first instance under load, until the second one is active. */
async function loseSession(parts: Parts, answeredAfter = ANSWERED_AFTER) {
  const first = await startInstance(parts)
  await expect.poll(() => countActiveLedgers(first)).toBe(LEDGERS)
  const second = await startInstance(parts)
  const load = startLoad()
  await load.waitForMore()
  const name = `ledgers-${LEDGERS}-lock-keys % ${first.address}`
  const loseAndCount = async () => {
    await superuser.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name like $1',
      [name],
    )
    return countActiveLedgers(second)
  }
  await expect.poll(loseAndCount).toBe(LEDGERS)
  await load.waitForMore(answeredAfter)
  await load.stop()
  return { lost: await countLost(load.acknowledged), problems: await verifyAll() }
}

async function verifyAll(): Promise<readonly string[]> {
  const problems: string[] = []
  for (let ledger = 1; ledger <= LEDGERS; ledger += 1) {
    const found = await verifyLog(superuser, { ledger, isReplaying: true })
    problems.push(...found.problems)
  }
  return problems
}

test('each instance has one connection for the election, and each ledger has one writer', async () => {
  const [first, second] = [await startInstance(), await startInstance()]
  // A ledger that moves to the other instance has the connections of both for a moment.
  await expect.poll(readActive).toEqual(listPreferred(LEDGERS))
  await Promise.all([...first.clients, ...second.clients].map((client) => fund(client)))
  expect(await countConnections('^ledgers-')).toMatchObject([{ count: 1 }, { count: 1 }])
  // A writer has a connection for reads and a connection for writes.
  const readCounts = async () => (await countConnections('^ledger-\\d')).map(({ count }) => count)
  await expect.poll(readCounts).toEqual(Array.from({ length: LEDGERS }, () => 2))
})

/** Lists the address of the instance that each ledger prefers, from ledger 1 on. */
function listPreferred(ledgers: number): readonly (string | null)[] {
  const addresses = instances.map(({ address }) => address)
  return Array.from({ length: ledgers }, (_, index) => choosePreferred(index + 1, addresses))
}

async function readActive(): Promise<readonly (string | null)[]> {
  const { rows } = await superuser.query<{ address: string }>(
    'select address from ledger.active_instance order by ledger_id',
  )
  return rows.map(({ address }) => address)
}

test('instances share the ledgers, and one that stops gives its ledgers to the others', async () => {
  const ledgers = 40
  const all: ElectedInstance[] = []
  for (let count = 1; count <= 3; count += 1) {
    all.push(await startInstance({ ledgers }))
    await expect.poll(readActive).toEqual(listPreferred(ledgers))
  }
  expect(new Set(listPreferred(ledgers)).size).toBe(3)
  const [first] = all
  await first?.close()
  instances.splice(0, 1)
  await expect.poll(readActive).toEqual(listPreferred(ledgers))
  const [second] = instances
  const answers = await Promise.all((second?.clients ?? []).map((client) => fund(client)))
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['recorded']))
})

/** Starts an instance and calls `run` while one is connected that does not take its ledgers. */
async function runBesideHanging(
  patienceMs: number,
  run: (instance: ElectedInstance) => Promise<unknown>,
): Promise<void> {
  const hanging = new pg.Client({
    connectionString: database.urlFor('cairn_ledger'),
    application_name: `ledgers-40-lock 1 http://127.0.0.1:9`,
  })
  await hanging.connect()
  try {
    await run(await startInstance({ ledgers: 40, patienceMs }))
  } finally {
    await hanging.end()
  }
}

test('the ledgers of an instance that hangs are taken by another one', async () => {
  await runBesideHanging(600, (instance) =>
    expect.poll(() => countActiveLedgers(instance)).toBe(40),
  )
})

test('sabotaged twin: an instance that waits for the hanging one takes only its own ledgers', async () => {
  await runBesideHanging(60_000, async (instance) => {
    await expect.poll(() => countActiveLedgers(instance)).toBeGreaterThan(0)
    await delay(1_500)
    expect(await countActiveLedgers(instance)).toBeLessThan(40)
  })
})

test('ledgers that share connections lose no acknowledged command when the connections end', async () => {
  await startInstance({ pairs: 2 })
  const load = startLoad()
  for (let round = 0; round < 5; round += 1) {
    await load.waitForMore()
    const readTotal = async () =>
      (await countConnections('^ledger-\\d')).reduce((sum, { count }) => sum + count, 0)
    await expect.poll(readTotal).toBe(4)
    const [ended] = await countConnections('^ledger-\\d')
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and datname = current_database()`,
      [ended?.name],
    )
  }
  await load.waitForMore()
  await load.stop()
  expect(await countLost(load.acknowledged)).toBe(0)
  expect(await verifyAll()).toEqual([])
})

test('an instance that stops gives all its ledgers to the other one', async () => {
  const [first, second] = [await startInstance(), await startInstance()]
  await Promise.all(first.clients.map((client) => fund(client)))
  await first.close()
  instances.splice(instances.indexOf(first), 1)
  const answers = await Promise.all(second.clients.map((client) => fund(client)))
  expect(answers.map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: LEDGERS }, () => 'recorded'),
  )
  expect(await countActiveLedgers(second)).toBe(LEDGERS)
})

test('a lost election session deposes all writers, and no acknowledged command is lost', async () => {
  expect(await loseSession({})).toEqual({ lost: 0, problems: [] })
})

/** Sabotaged twin: the instance continues to write after it has lost its locks. */
const ignoreDeposal = (session: ElectionSession): ElectionSession => ({
  ...session,
  join: (seat) => session.join({ ...seat, depose: () => {} }),
  isElected: async () => true,
})

test('sabotaged twin: without the fence, an instance that ignores the loss destroys the logs', async () => {
  const sabotage = { statement: createUnfencedStatement, wrapSession: ignoreDeposal }
  // Few commands meet a command of the other instance, so many are sent.
  const { lost, problems } = await loseSession(sabotage, 10 * ANSWERED_AFTER)
  expect(lost + problems.length).toBeGreaterThan(0)
})
