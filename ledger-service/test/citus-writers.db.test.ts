import { createId } from '@cairn/ledger-contracts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyLog } from '../src/proofs/verify.ts'
import {
  type CitusDatabase,
  createCitusDatabase,
  findShard,
  isWithoutCitus,
  moveShards,
} from './support/citus.ts'
import { startElectedInstance } from './support/elected-instance.ts'
import { compareFundings, describeFunding, startFundingLoad } from './support/reserve-load.ts'
import { createFundedInvestor, startTestLedger, type TestLedger } from './support/test-ledger.ts'
import { createTestSigning } from './support/test-signing.ts'
import { createUnfencedStatement } from './support/unfenced-statement.ts'

let database: CitusDatabase
let open: TestLedger[] = []
beforeAll(async () => {
  if (!isWithoutCitus) database = await createCitusDatabase()
})
afterEach(async () => {
  await Promise.all(open.map((ledger) => ledger.close()))
  open = []
})
afterAll(() => database?.drop())

type Options = NonNullable<Parameters<typeof startTestLedger>[0]>
async function start(ledger: number, options: Options = {}): Promise<TestLedger> {
  const started = await startTestLedger({ database, ledger, ...options })
  open.push(started)
  return started
}

function fund({ submit }: Pick<TestLedger, 'submit'>, transactionId: string) {
  return submit('FundReserve', describeFunding(transactionId), { key: transactionId })
}

const startLoad = (ledger: TestLedger) => startFundingLoad((id) => fund(ledger, id))

const countLost = async (acknowledged: ReadonlyMap<string, bigint>, ledger: number) =>
  (await compareFundings(database.run, { ledger, acknowledged })).lost

describe.skipIf(isWithoutCitus)('two writers of a ledger on Citus', () => {
  /** Sends 400 withdrawals of 100.00 to two writers, from a balance of 1,000.00. */
  async function withdrawConcurrently(ledger: number, options: Options) {
    const writers = [await start(ledger, options), await start(ledger, options)] as const
    const investorId = await createFundedInvestor(writers[0], { amountMinor: 100_000n })
    const withdraw = (writer: TestLedger, amountMinor: bigint) =>
      writer.submit('RequestWithdrawal', {
        transactionId: createId(Date.now()),
        investorId,
        source: 'balance',
        amountMinor,
        bankAccountId: 'bank',
        bankAccountSha256: 'b'.repeat(64),
      })
    // Loads the balance into the memory of the second writer.
    expect((await withdraw(writers[1], 100_001n)).outcome).toBe('refused')
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, index) => withdraw(writers[index % 2 ? 1 : 0], 10_000n)),
    )
    const { problems } = await verifyLog(writers[0].pool, { ledger })
    return { recorded: answers.filter(({ outcome }) => outcome === 'recorded').length, problems }
  }

  test('spend a balance once', async () => {
    expect(await withdrawConcurrently(1, {})).toEqual({ recorded: 10, problems: [] })
  })

  test('sabotaged twin: without the fence, they spend it again', async () => {
    const spent = await withdrawConcurrently(2, { statement: createUnfencedStatement })
    expect(spent.recorded).toBeGreaterThan(10)
    expect(spent.problems).not.toEqual([])
  })
})

test.skipIf(isWithoutCitus)('lost connections lose and repeat no event', async () => {
  const ledger = await start(3)
  const load = startLoad(ledger)
  for (let time = 0; time < 5; time += 1) {
    await load.waitForMore()
    const node = await findShard(database, { table: 'head', ledger: 3 })
    await database.runOn(
      node,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'ledger-3' and datname = current_database()`,
    )
  }
  await load.waitForMore()
  const acknowledged = await load.stop()
  expect(await countLost(acknowledged, 3)).toBe(0)
  const { events, problems } = await verifyLog(ledger.pool, { ledger: 3 })
  expect({ events, problems }).toEqual({ events: BigInt(acknowledged.size), problems: [] })
})

describe.skipIf(isWithoutCitus)('the shards of a busy ledger', () => {
  test('can be moved to another node: nothing is lost', async () => {
    const ledger = await start(4)
    const load = startLoad(ledger)
    for (let time = 0; time < 2; time += 1) {
      await load.waitForMore()
      const former = await moveShards(database, 4)
      await load.waitForMore()
      expect((await findShard(database, { table: 'head', ledger: 4 })).port).not.toBe(former)
    }
    const acknowledged = await load.stop()
    expect(await countLost(acknowledged, 4)).toBe(0)
    expect((await verifyLog(ledger.pool, { ledger: 4 })).problems).toEqual([])
  })

  test('can be isolated from those of other ledgers: nothing is lost', async () => {
    const ledger = await start(5)
    const load = startLoad(ledger)
    await load.waitForMore()
    const former = await findShard(database, { table: 'head', ledger: 5 })
    await database.run(
      `select isolate_tenant_to_new_shard('ledger.head', 5, 'cascade', 'block_writes')`,
    )
    await load.waitForMore()
    expect((await findShard(database, { table: 'head', ledger: 5 })).shard).not.toBe(former.shard)
    const acknowledged = await load.stop()
    expect(await countLost(acknowledged, 5)).toBe(0)
    expect((await verifyLog(ledger.pool, { ledger: 5 })).problems).toEqual([])
  })

  test('sabotaged twin: a writer that does not keep them in place loses events', async () => {
    const own = await createCitusDatabase()
    const shared = database
    database = own
    const ledger = await start(6)
    for (const node of own.nodes) {
      await own.runOn(
        node,
        `create or replace function ledger_citus.holds_placement(shard bigint) returns boolean
         language sql as 'select true'`,
      )
    }
    const load = startLoad(ledger)
    await load.waitForMore()
    await moveShards(own, 6)
    await load.waitForMore()
    const acknowledged = await load.stop()
    expect(await countLost(acknowledged, 6)).toBeGreaterThan(0)
    await Promise.all(open.map((writer) => writer.close()))
    open = []
    database = shared
    await own.drop()
  })
})

test.skipIf(isWithoutCitus)('another instance takes the ledgers of one that stops', async () => {
  const signing = await createTestSigning(database.url)
  const first = await startElectedInstance({ database, signing, ledgers: 1 })
  const second = await startElectedInstance({ database, signing, ledgers: 1 })
  const submit = async ({ clients: [client] }: typeof first) =>
    client?.submit({
      type: 'ActivateInvestor',
      data: { investorId: createId(Date.now()), referrerId: null },
      actor: 'system:test',
      key: null,
      requestId: null,
      effectiveAt: null,
    })
  expect((await submit(first))?.outcome).toBe('recorded')
  expect((await submit(second))?.outcome).toBe('recorded')
  await first.close()
  await expect.poll(async () => (await submit(second).catch(() => null))?.outcome).toBe('recorded')
  await second.close()
})

interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
  readonly port: number
}

/** Collects the statements about tables of the ledger that the connections of a writer send. */
function collectStatements(name: string): { sent: Map<string, Sent>; stop(): void } {
  const sent = new Map<string, Sent>()
  const original = pg.Client.prototype.query
  const query = function (this: pg.Client, ...given: readonly unknown[]) {
    const [statement, listed] = given
    // The cast is safe, because these callers pass a text or a configuration.
    const { text, values } =
      typeof statement === 'string'
        ? { text: statement, values: listed }
        : (statement as pg.QueryConfig)
    // The cast is safe: the client has this property, which its types do not declare.
    const { connectionParameters } = this as unknown as Record<string, { application_name: string }>
    if (
      connectionParameters?.application_name === name &&
      /(from|into|update) ledger\./.test(text)
    ) {
      sent.set(text, { text, values: (values ?? []) as readonly unknown[], port: this.port })
    }
    return Reflect.apply(original, this, given)
  }
  Object.assign(pg.Client.prototype, { query })
  return { sent, stop: () => void Object.assign(pg.Client.prototype, { query: original }) }
}

/** Returns the number of tasks of Citus in the plan, and the tables that the plan reads or writes. */
async function explain({ text, values, port }: Sent) {
  const url = new URL(database.url)
  url.port = String(port)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query(`explain (format json) ${text}`, [...values])
  await client.end()
  const plan = JSON.stringify(rows)
  const list = (pattern: RegExp) => [...plan.matchAll(pattern)].map(([, found]) => String(found))
  return { tasks: list(/"Task Count":(\d+)/g), tables: list(/"Relation Name":"(\w+)"/g) }
}

test.skipIf(isWithoutCitus)('each statement of a writer has one task, on one node', async () => {
  const { sent, stop } = collectStatements('ledger-7')
  const ledger = await start(7)
  await createFundedInvestor(ledger, { amountMinor: 5_000n })
  const id = createId(Date.now())
  await fund(ledger, id)
  await fund(ledger, id)
  stop()
  const { host, port } = await findShard(database, { table: 'head', ledger: 7 })
  expect([...sent.keys()].filter((text) => text.includes('placed as materialized')).length).toBe(3)
  expect(sent.size).toBeGreaterThan(10)
  for (const statement of sent.values()) {
    expect({ host, port: statement.port }).toEqual({ host, port })
    const { tasks, tables } = await explain(statement)
    // Without a task, PostgreSQL itself runs the statement on the tables of the shards.
    if (tasks.length === 0) expect(tables.filter((name) => !/_\d+$/.test(name))).toEqual([])
    else expect({ text: statement.text, tasks }).toEqual({ text: statement.text, tasks: ['1'] })
  }
})
