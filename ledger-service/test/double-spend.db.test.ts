import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createId, createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { systemClock } from '@cairn/service-kit/clock'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchStatement } from '../src/log/statement.ts'
import { createPool } from '../src/service/database/pool.ts'
import { createLedgerRoutes } from '../src/service/http/routes.ts'
import { createHttpServer } from '../src/service/http/server.ts'
import { openLedger } from '../src/service/ledger.ts'
import { createTestSigning } from './support/test-signing.ts'
import { runTraffic } from './support/traffic.ts'
import { createUnfencedStatement } from './support/unfenced-statement.ts'

const TOKEN = 'test-token-'.repeat(4)
const log = pino({ level: 'silent' })

interface Instance {
  client: LedgerClient
  close(): Promise<void>
}

/** Starts a ledger service with HTTP on the database that the instances share. */
async function startInstance(
  database: TestDatabase,
  statement: BatchStatement | null,
): Promise<Instance> {
  const databaseUrl = database.urlFor('cairn_ledger')
  const pool = createPool({ url: databaseUrl, max: 4, name: 'test-read' })
  const signing = await createTestSigning()
  const options = { ...signing, ledger: 1, databaseUrl, pool, clock: systemClock, log }
  const parts = openLedger(statement === null ? options : { ...options, statement })
  const routes = createLedgerRoutes({
    ledgers: new Map([[1, parts]]),
    checkHealth: async () => ({ isOk: true }),
  })
  const server = createHttpServer({ tokens: { ledger: [TOKEN] }, tls: null, log, routes })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    client: createLedgerClient({
      url: `http://127.0.0.1:${port}`,
      token: TOKEN,
      timeoutMs: PATIENCE_MS,
    }),
    close: async () => {
      await parts.stop()
      server.closeAllConnections()
      server.close()
      await pool.end()
    },
  }
}

/** Sends 1,000 concurrent withdrawals of 100.00 to two writers, from a balance of 1,000.00. */
async function withdrawConcurrently(database: TestDatabase, statement: BatchStatement | null) {
  const first = await startInstance(database, statement)
  const investorId = createId(Date.now())
  const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  const gift = { wallet: 'balance', amountMinor: 100_000n, category: null, reason: null } as const
  const transactionId = createId(Date.now())
  await first.client.submitMany(
    [
      { type: 'ActivateInvestor', data: { investorId, referrerId: null }, ...envelope },
      { type: 'FundWallet', data: { ...gift, transactionId, investorId }, ...envelope },
    ],
    'interactive',
  )
  const withdraw = ({ client }: Instance, amountMinor: bigint) => {
    const bank = { bankAccountId: 'bank', bankAccountSha256: 'b'.repeat(64) }
    const request = { investorId, source: 'balance', amountMinor, ...bank } as const
    const data = { transactionId: createId(Date.now()), ...request }
    return client.submit({ type: 'RequestWithdrawal', data, ...envelope })
  }
  const second = await startInstance(database, statement)
  const instances = [first, second]
  // This refused withdrawal loads the balance into the memory of the second writer. Both writers
  // now have the balance in memory, and no writer has debited it yet.
  expect((await withdraw(second, 100_001n)).outcome).toBe('refused')
  const outcomes = await runTraffic({ count: 1_000, inFlight: 1_000 }, (index) =>
    withdraw(index % 2 === 0 ? first : second, 10_000n),
  )
  const check = await first.client.ask('check', {})
  await Promise.all(instances.map((instance) => instance.close()))
  return { outcomes, problems: check.problems }
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('1,000 withdrawals of 100.00 at once from 1,000.00 accept exactly ten', async () => {
  const { outcomes, problems } = await withdrawConcurrently(database, null)
  expect(outcomes).toMatchObject({ recorded: 10, unknown: 0 })
  // On a busy machine, the last withdrawals can reach their deadline before they start.
  expect(outcomes.refused + outcomes.failed).toBe(990)
  expect(outcomes.refused).toBeGreaterThan(0)
  expect(problems).toEqual([])
})

test('sabotaged twin: without the fence, more withdrawals are accepted', async () => {
  const own = await createTestDatabase()
  const { outcomes, problems } = await withdrawConcurrently(own, createUnfencedStatement)
  expect(outcomes.recorded).toBeGreaterThan(10)
  expect(problems).not.toEqual([])
  await own.drop()
})
