import { setTimeout as delay } from 'node:timers/promises'
import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ElectedInstance, startElectedInstance } from '../../test/support/elected-instance.ts'
import { createTestSigning } from '../../test/support/test-signing.ts'
import type { Store } from './store.ts'

const IDLE_MS = 100
const BLOCKED_MS = 300

let database: TestDatabase
let superuser: pg.Pool
let signing: Awaited<ReturnType<typeof createTestSigning>>
let instance: ElectedInstance
beforeAll(async () => {
  database = await createTestDatabase()
  superuser = new pg.Pool({ connectionString: database.url, max: 1 })
  signing = await createTestSigning(database.url)
})
afterEach(() => instance.close())
afterAll(async () => {
  await superuser.end()
  await database.drop()
})

type Options = Pick<Parameters<typeof startElectedInstance>[0], 'wrapStore' | 'writerIdleMs'>

/** Starts an instance with two ledgers. Returns the clients of both. */
async function start(options: Options): Promise<readonly [LedgerClient, LedgerClient]> {
  instance = await startElectedInstance({ database, signing, ledgers: 2, ...options })
  const [first, second] = instance.clients
  if (first === undefined || second === undefined) throw new Error('two ledgers')
  return [first, second]
}

async function fund(client: LedgerClient): Promise<string> {
  const answer = await client.submit({
    type: 'FundReserve',
    data: { transactionId: createId(Date.now()), amountMinor: 100n, note: null },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  return answer.outcome
}

async function countWriterConnections(): Promise<number> {
  const { rows } = await superuser.query(
    `select count(*)::int as count from pg_stat_activity
     where application_name ~ '^ledger-\\d' and datname = current_database()`,
  )
  return rows[0].count
}

/** Counts how often a store is opened. `before` delays the opening. */
function createCountedStore(before: (ledger: number) => Promise<void> = async () => {}) {
  const counts = { opened: 0 }
  const wrapStore = (store: Store, ledger: number): Store => ({
    open: async () => {
      counts.opened += 1
      await before(ledger)
      return store.open()
    },
  })
  return { counts, wrapStore }
}

test('a writer opens at the first command, closes when it is idle, and opens again', async () => {
  const [client] = await start({ writerIdleMs: IDLE_MS })
  expect(await countWriterConnections()).toBe(0)
  expect(await fund(client)).toBe('recorded')
  await expect.poll(countWriterConnections).toBe(0)
  const { size } = await client.ask('head', { size: null })
  await client.ask('receipt', { seq: size - 1n })
  expect(await countWriterConnections()).toBe(0)
  expect(await fund(client)).toBe('recorded')
  expect((await client.ask('head', { size: null })).size).toBe(size + 1n)
})

test('commands that arrive while a writer closes are recorded', async () => {
  const { counts, wrapStore } = createCountedStore()
  const [client] = await start({ writerIdleMs: 10, wrapStore })
  const outcomes = new Set<string>()
  for (let pauseMs = 0; pauseMs < 40; pauseMs += 1) {
    outcomes.add(await fund(client))
    await delay(pauseMs)
  }
  expect([...outcomes]).toEqual(['recorded'])
  expect(counts.opened).toBeGreaterThan(1)
})

test('a writer with an unanswered command is not closed', async () => {
  const { counts, wrapStore } = createCountedStore()
  const [begun, arrived, released] = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  let appends = 0
  const slow = (store: Store, ledger: number): Store => ({
    open: async () => {
      const session = await wrapStore(store, ledger).open()
      const append: typeof session.append = async (...batch) => {
        appends += 1
        const passed = appends === 1 ? begun : arrived
        passed?.resolve()
        await released?.promise
        return session.append(...batch)
      }
      // While an append runs, the writer prepares the batch of the commands that arrive.
      const prepare: typeof session.prepare = (rows) => {
        session.prepare(rows)
        arrived?.resolve()
      }
      return { ...session, append, prepare }
    },
  })
  const [client] = await start({ writerIdleMs: BLOCKED_MS / 10, wrapStore: slow })
  const first = fund(client)
  await begun?.promise
  // A busy machine can only hide an early close, so the wait cannot make the test fail.
  await delay(BLOCKED_MS)
  const second = fund(client)
  await arrived?.promise
  released?.resolve()
  expect([await second, await first]).toEqual(['recorded', 'recorded'])
  expect(counts.opened).toBe(1)
})

/** Submits commands to both ledgers while the opening of the first one waits. */
async function submitWhileFirstOpens(isWaiting: (ledger: number) => boolean) {
  const gate = Promise.withResolvers<void>()
  const { counts, wrapStore } = createCountedStore(async (ledger) => {
    if (isWaiting(ledger)) await gate.promise
  })
  const [first, second] = await start({ wrapStore })
  const waiting = [fund(first), fund(first), fund(first)]
  const other = fund(second)
  const early = await Promise.race([other, delay(isWaiting(2) ? BLOCKED_MS : 60_000, 'waits')])
  gate.resolve()
  expect(await Promise.all([...waiting, other])).toEqual(
    Array.from({ length: 4 }, () => 'recorded'),
  )
  expect(counts.opened).toBe(2)
  return early
}

test('a ledger that opens delays no other ledger, and its commands share one writer', async () => {
  expect(await submitWhileFirstOpens((ledger) => ledger === 1)).toBe('recorded')
})

test('sabotaged twin: ledgers that open one after another delay each other', async () => {
  expect(await submitWhileFirstOpens(() => true)).toBe('waits')
})

test('sabotaged twin: writers that stay open need two connections for each ledger', async () => {
  const clients = await start({ writerIdleMs: 600_000 })
  await Promise.all(clients.map(fund))
  await delay(2 * IDLE_MS)
  expect(await countWriterConnections()).toBe(4)
})
