import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { verifyLedger } from './check-restored.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a ledger without a command has nothing to verify; a head without its events is a fault', async () => {
  expect(await verifyLedger(database.url, 2)).toBe(true)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    `insert into ledger.head values (2, 30, sha256(''), '', 0, sha256(''), 1, 0, 1, now())`,
  )
  await client.end()
  expect(await verifyLedger(database.url, 2)).toBe(false)
})
