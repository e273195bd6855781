import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { systemClock } from '@cairn/service-kit/clock'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestSigning } from '../../test/support/test-signing.ts'
import { createVersionedModel } from '../../test/support/versioned-model.ts'
import { createPool } from '../service/database/pool.ts'
import { openLedger } from '../service/ledger.ts'
import { createElectionSession } from './election-session.ts'
import { formatInstanceName, listInstances } from './instances.ts'

const ADDRESS = 'http://127.0.0.1:9'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('an instance is registered with its version and address while it is connected', async () => {
  const databaseUrl = database.urlFor('cairn_ledger')
  const pool = createPool({ url: databaseUrl, max: 2, name: 'test-read' })
  const log = pino({ level: 'silent' })
  const instance = { databaseUrl, address: ADDRESS, version: 3, ledgers: 1 }
  const session = createElectionSession({ ...instance, log })
  const parts = openLedger({
    ...(await createTestSigning()),
    ledger: 1,
    databaseUrl,
    pool,
    clock: systemClock,
    log,
    model: createVersionedModel(3),
    election: { session, token: 'x'.repeat(32), writerIdleMs: null },
  })
  await expect.poll(() => listInstances(pool, 1)).toEqual([{ version: 3, address: ADDRESS }])
  expect(await listInstances(pool, 2)).toEqual([])
  await parts.stop()
  await session.stop()
  await expect.poll(() => listInstances(pool, 1)).toEqual([])
  await pool.end()
})

test('a long address is cut and keeps the version', () => {
  const address = `https://${'a'.repeat(80)}.example`
  const name = formatInstanceName({ ledgers: 12, version: 7, address })
  expect(name).toHaveLength(63)
  expect(name).toMatch(/^ledgers-12-lock-keys 7 https:\/\/a+$/)
})
