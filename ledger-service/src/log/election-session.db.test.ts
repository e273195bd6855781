import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ActiveInstance, createElectionSession } from './election-session.ts'

const LEDGER = 1

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** An instance with one ledger. `state` is what the last poll told it. */
function startInstance(address: string) {
  const log = pino({ level: 'silent' })
  const databaseUrl = database.urlFor('cairn_ledger')
  const own = { databaseUrl, address, version: 1, ledgers: LEDGER, log, patienceMs: 0 }
  const session = createElectionSession(own)
  const state = { polls: 0, isActive: false, active: null as ActiveInstance | null }
  session.join({
    ledger: LEDGER,
    elect: () => void Object.assign(state, { polls: state.polls + 1, isActive: true }),
    depose: (active) =>
      void Object.assign(state, { polls: state.polls + 1, isActive: false, active }),
    isOpen: () => true,
    release: () => false,
  })
  const waitForPolls = async () => {
    const wanted = state.polls + 3
    await expect.poll(() => state.polls).toBeGreaterThan(wanted)
  }
  return { session, state, waitForPolls }
}

async function runSql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(text)
  await client.end()
}

test('an instance keeps and takes locks while the sizes of the logs cannot be read', async () => {
  const first = startInstance('http://127.0.0.1:8')
  await expect.poll(() => first.state.isActive).toBe(true)
  const second = startInstance('http://127.0.0.1:9')
  await expect.poll(() => second.state.active).toEqual({ address: first.session.address, size: 0n })

  await runSql('revoke select on ledger.head from cairn_ledger')
  await expect.poll(() => second.state.active?.size).toBe(null)
  await Promise.all([first.waitForPolls(), second.waitForPolls()])
  expect({ first: first.state.isActive, second: second.state.isActive }).toEqual({
    first: true,
    second: false,
  })
  expect(await first.session.isElected(LEDGER)).toBe(true)
  expect(await second.session.isElected(LEDGER)).toBe(false)

  await first.session.stop()
  await expect.poll(() => second.state.isActive).toBe(true)
  expect(await second.session.isElected(LEDGER)).toBe(true)
  await second.session.stop()
})
