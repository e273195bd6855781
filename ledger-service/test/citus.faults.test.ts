import { createId, createLedgerClient } from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { systemClock } from '@cairn/service-kit/clock'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCopier } from '../src/proofs/copy-checkpoints.ts'
import { readKeyFile } from '../src/proofs/key-file.ts'
import { verifyLog } from '../src/proofs/verify.ts'
import { createPool } from '../src/service/database/pool.ts'
import { moveLedger } from '../src/service/move/move-ledger.ts'
import {
  type CitusDatabase,
  controlNode,
  createCitusDatabase,
  findShard,
  isWithoutCitus,
  isWithoutNodeControl,
  type NodeAddress,
} from './support/citus.ts'
import { compareFundings, fundReserve, startFundingLoad } from './support/reserve-load.ts'
import { type ServiceProcess, startServiceProcess, TEST_TOKEN } from './support/service-process.ts'
import { createFundedInvestor, requireRecorded, startTestLedger } from './support/test-ledger.ts'
import { createTestSigning } from './support/test-signing.ts'

const INVESTORS = 20

describe.skipIf(isWithoutCitus)('a ledger moves', () => {
  let plain: TestDatabase
  let cluster: CitusDatabase
  let signing: Awaited<ReturnType<typeof createTestSigning>>
  const receipts: { receipt: string; verifierKeys: readonly string[] }[] = []
  beforeAll(async () => {
    ;[plain, cluster] = await Promise.all([createTestDatabase(), createCitusDatabase()])
    signing = await createTestSigning(plain.url)
  })
  afterAll(() => Promise.all([plain?.drop(), cluster?.drop()]))

  /** Records events in a place, and keeps a receipt of the last one. */
  async function use(database: TestDatabase): Promise<bigint> {
    const ledger = await startTestLedger({ database, signing })
    for (let count = 0; count < INVESTORS; count += 1) {
      await createFundedInvestor(ledger, { amountMinor: 5_000n })
    }
    const data = { transactionId: createId(Date.now()), amountMinor: 100n, note: null }
    const { event } = await requireRecorded(ledger.submit('FundReserve', data))
    receipts.push(await ledger.ask('receipt', { seq: event.seq }))
    await ledger.close()
    return event.seq + 1n
  }

  async function move(from: TestDatabase, to: TestDatabase): Promise<bigint> {
    const describePlace = (name: string, database: TestDatabase) => ({
      name,
      databaseUrl: database.urlFor('cairn_ledger'),
      readUrl: null,
      ledgers: [],
    })
    const { size } = await moveLedger({
      ledger: 1,
      source: describePlace('former', from),
      target: describePlace('next', to),
      durability: 'local',
      switchDirectory: async () => {},
    })
    return size
  }

  async function expectVerified(database: TestDatabase, events: bigint): Promise<void> {
    const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'test' })
    expect(await verifyLog(pool, { ledger: 1 })).toMatchObject({ events, problems: [] })
    await pool.end()
  }

  test('from a server to a cluster and back, with all events and receipts', async () => {
    const first = await use(plain)
    expect(await move(plain, cluster)).toBe(first)
    await expectVerified(cluster, first)

    const second = await use(cluster)
    expect(second).toBe(first + BigInt(2 * INVESTORS) + 1n)
    expect(await move(cluster, plain)).toBe(second)
    await expectVerified(plain, second)

    const third = await use(plain)
    await expectVerified(plain, third)
    expect(receipts).toHaveLength(3)
    for (const { receipt, verifierKeys } of receipts) {
      expect(await verifyReceipt(receipt, openKeys(verifierKeys))).toMatchObject({ lostIn: null })
    }
    // The keys of the last place verify the receipts of all places.
    const keys = openKeys(receipts.at(-1)?.verifierKeys ?? [])
    for (const { receipt } of receipts) await verifyReceipt(receipt, keys)
  })
})

const LEDGERS = 24
const TWIN_ROUNDS_MAX = 5

describe.skipIf(isWithoutNodeControl)('a node that crashes under load', () => {
  let cluster: CitusDatabase
  let service: ServiceProcess
  let pool: ReturnType<typeof createPool>
  let nodes: { coordinator: NodeAddress; crashing: NodeAddress; other: NodeAddress }
  /** The ledgers of each worker, by its port. */
  const ledgersOf = new Map<number, number[]>()
  beforeAll(async () => {
    cluster = await createCitusDatabase()
    const [coordinator, crashing, other] = cluster.nodes
    if (coordinator === undefined || crashing === undefined || other === undefined) {
      throw new Error('the cluster has too few nodes')
    }
    nodes = { coordinator, crashing, other }
    for (let ledger = 1; ledger <= LEDGERS; ledger += 1) {
      const { port } = await findShard(cluster, { table: 'head', ledger })
      ledgersOf.set(port, [...(ledgersOf.get(port) ?? []), ledger])
    }
    for (const ledgers of ledgersOf.values()) expect(ledgers.length).toBeGreaterThan(3)
    const databaseUrl = cluster.urlFor('cairn_ledger')
    pool = createPool({ url: databaseUrl, max: 2, name: 'test' })
    service = await startServiceProcess({ databaseUrl, environment: { LEDGERS: String(LEDGERS) } })
  })
  afterAll(async () => {
    await service?.end('SIGTERM')
    await pool?.end()
    await cluster?.drop()
  })

  /** The ledgers under load are the first two of the worker; the last one is idle. */
  const listBusy = ({ port }: NodeAddress) => (ledgersOf.get(port) ?? []).slice(0, 2)
  const getIdle = ({ port }: NodeAddress) => ledgersOf.get(port)?.at(-1) ?? 0
  /** A ledger that only the test of the coordinator writes. */
  const getClosed = ({ port }: NodeAddress) => ledgersOf.get(port)?.at(2) ?? 0

  function fund(ledger: number, id = createId(Date.now())) {
    const url = `http://127.0.0.1:${service.port}`
    return fundReserve(createLedgerClient({ url, token: TEST_TOKEN, ledger }), id)
  }
  const tryToFund = (ledger: number) =>
    fund(ledger).then(
      ({ outcome }) => outcome,
      (error: Error) => error.message,
    )
  const readHealth = async () => (await fetch(`http://127.0.0.1:${service.port}/healthz`)).status

  async function countCheckpoints(ledger: number): Promise<number> {
    const [found] = await cluster.run<{ count: number }>(
      'select count(*)::int as count from ledger.checkpoint where ledger_id = $1',
      [ledger],
    )
    return found?.count ?? 0
  }

  async function runWhileDown(node: NodeAddress, work: () => Promise<void>): Promise<void> {
    await controlNode('stop', node)
    try {
      await work()
    } finally {
      await controlNode('start', node)
    }
  }

  /** Copies the checkpoints of ledgers. Returns the number of copied keys of each, and the log. */
  async function copyKeys(ledgers: readonly number[]) {
    const { checkpointDir } = await createTestSigning()
    const logged: string[] = []
    const log = pino({}, { write: (line) => void logged.push(JSON.parse(line).msg) })
    const copying = { pool, clock: systemClock, checkpointDir, log }
    await createCopier({ ...copying, listLedgers: () => ledgers })()
    const read = async (ledger: number) => readKeyFile({ folder: checkpointDir, ledger })
    const keys = await Promise.all(ledgers.map(async (ledger) => (await read(ledger)).length))
    return { keys, logged }
  }

  /** Loads two ledgers of each worker, until each has recorded commands. */
  async function startLoads() {
    const busy = [...listBusy(nodes.crashing), ...listBusy(nodes.other)]
    const loads = new Map(
      busy.map((ledger) => [ledger, startFundingLoad((id) => fund(ledger, id))]),
    )
    const waitForMore = (ledgers = busy) =>
      Promise.all(ledgers.map((ledger) => loads.get(ledger)?.waitForMore()))
    await waitForMore()
    return {
      waitForMore,
      count: (ledgers: readonly number[]) =>
        ledgers.map((ledger) => loads.get(ledger)?.acknowledged.size),
      /** Stops the loads, compares them with the logs and verifies the logs. */
      compare: async () => {
        const found = []
        for (const [ledger, load] of loads) {
          const acknowledged = await load.stop()
          const compared = await compareFundings(cluster.run, { ledger, acknowledged })
          const { problems } = await verifyLog(pool, { ledger })
          found.push({ ledger, ...compared, problems })
        }
        return found
      },
    }
  }

  const ALL_KEPT = Array.from({ length: 4 }, () =>
    expect.objectContaining({ lost: 0, doubled: 0, problems: [] }),
  )

  test('a worker: the ledgers of the others go on, and nothing is lost or doubled', async () => {
    const loads = await startLoads()
    await runWhileDown(nodes.crashing, async () => {
      await loads.waitForMore(listBusy(nodes.other))
      const stopped = loads.count(listBusy(nodes.crashing))
      expect(await tryToFund(getIdle(nodes.other))).toBe('recorded')
      await expect.poll(() => countCheckpoints(getIdle(nodes.other))).toBeGreaterThan(0)
      expect(await readHealth()).toBe(200)
      await loads.waitForMore(listBusy(nodes.other))
      expect(loads.count(listBusy(nodes.crashing))).toEqual(stopped)
    })
    await loads.waitForMore()
    expect(await loads.compare()).toEqual(ALL_KEPT)
  })

  test('a worker: a service that starts meanwhile opens its ledgers when it answers', async () => {
    const [waiting = 0] = listBusy(nodes.crashing)
    await runWhileDown(nodes.crashing, async () => {
      await service.end('SIGTERM')
      await service.start()
      expect(await tryToFund(getIdle(nodes.other))).toBe('recorded')
      expect(await tryToFund(waiting)).toContain('does not answer')
      expect(await copyKeys([waiting, getIdle(nodes.other)])).toEqual({
        keys: [0, 1],
        logged: ['not all logs can be read; their checkpoints are copied later'],
      })
    })
    await expect.poll(() => tryToFund(waiting)).toBe('recorded')
  })

  test('the coordinator: open ledgers go on, and nothing is lost or doubled', async () => {
    const loads = await startLoads()
    await runWhileDown(nodes.coordinator, async () => {
      await loads.waitForMore()
      expect(await readHealth()).toBe(503)
      // A ledger without a writer is not opened, because its lock is on the coordinator.
      expect(await tryToFund(getClosed(nodes.other))).not.toBe('recorded')
    })
    await expect.poll(() => tryToFund(getClosed(nodes.other))).toBe('recorded')
    await loads.waitForMore()
    await expect.poll(readHealth).toBe(200)
    expect(await loads.compare()).toEqual(ALL_KEPT)
  })

  test('sabotaged twin: with synchronous_commit off on a worker, commands are lost', async () => {
    const name = new URL(cluster.url).pathname.slice(1)
    await cluster.runOn(nodes.crashing, `alter database ${name} set synchronous_commit = off`)
    // A writer that connects again takes the setting.
    await cluster.runOn(
      nodes.crashing,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name ~ '^ledger-[0-9]+$' and datname = current_database()`,
    )
    const lossy: number[] = []
    for (let round = 0; lossy.length === 0 && round < TWIN_ROUNDS_MAX; round += 1) {
      const loads = await startLoads()
      await runWhileDown(nodes.crashing, async () => {})
      const found = await loads.compare()
      lossy.push(...found.filter(({ lost }) => lost > 0).map(({ ledger }) => ledger))
    }
    expect(lossy).not.toEqual([])
    expect(listBusy(nodes.crashing)).toEqual(expect.arrayContaining(lossy))
  })
})
