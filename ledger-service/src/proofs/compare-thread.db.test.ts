import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startComparison } from './compare-thread.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a comparison that cannot read is a failure, never a log without events', async () => {
  const part = {
    url: database.url,
    snapshot: '0-0-0',
    ledger: 1,
    size: 7n,
    root: Buffer.alloc(32),
    lastRecordedAtMs: 0,
    fork: null,
    stateFolder: null,
    isContinued: false,
    pageRows: undefined,
    apartMax: undefined,
  }
  const { compared, stop } = startComparison(part, () => {})
  await expect(compared).rejects.toThrow('snapshot')
  await stop()
})
