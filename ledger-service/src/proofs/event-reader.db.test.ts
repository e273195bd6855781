import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEvents } from './event-reader.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a reader that cannot read is a failure, never a log without events', async () => {
  const part = { url: database.url, snapshot: '0-0-0', ledger: 1, from: 0n, size: 7n }
  const pages = readEvents(part)
  await expect(pages.next()).rejects.toThrow('snapshot')
})
