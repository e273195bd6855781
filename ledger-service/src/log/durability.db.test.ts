import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectClient } from '../service/database/pool.ts'
import { readDurability } from './durability.ts'
import { takeHead } from './head.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  const url = database.urlFor('cairn_ledger')
  client = await connectClient({ url, name: 'durability', pipeline: false })
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/**
 * Returns a client that reports the given values of two settings. The values are faked, because
 * `synchronous_standby_names` can be set only for a whole server and not for one session.
 */
function createClientWithSettings(commit: string, names: string): Pick<pg.ClientBase, 'query'> {
  const query = (text: string) =>
    client.query(
      text
        .replace("current_setting('synchronous_commit')", `'${commit}'`)
        .replace("current_setting('synchronous_standby_names')", `'${names}'`),
    )
  // The cast is safe, because `readDurability` passes only a text.
  return { query: query as unknown as pg.ClientBase['query'] }
}

test.each([
  ['on', 'replica', 'standby'],
  ['remote_apply', 'ANY 1 (one, two)', 'standby'],
  ['on', '', 'local'],
  ['on', ' ', 'local'],
  ['remote_write', 'replica', 'local'],
  ['local', 'replica', 'local'],
  ['off', 'replica', 'local'],
])('synchronous_commit %s with standbys "%s" is %s', async (commit, names, durability) => {
  expect(await readDurability(createClientWithSettings(commit, names))).toBe(durability)
})

test('a writer that requires a standby takes no head without one', async () => {
  const take = (durability: 'local' | 'standby') =>
    takeHead(client, { ledger: 1, nowMs: null, modelVersion: 1, durability })
  await expect(take('standby')).rejects.toThrow('commits do not wait for a standby')
  // Sabotaged twin: if no standby is required, the writer takes over the log although commits do
  // not wait for a standby.
  expect((await take('local')).token).toBeGreaterThan(0n)
})
