import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

const POSTINGS = 200_000
const PART = 10_000

let database: TestDatabase
let superuser: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
})
afterAll(async () => {
  await superuser.end()
  await database.drop()
})

interface Plan {
  'Node Type': string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

/** Returns the number of pages that a query for one part of the log reads. */
async function countPages(): Promise<number> {
  const { rows } = await superuser.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
    `explain (analyze, buffers, format json)
     select sum(amount_minor) from ledger.posting
     where ledger_id = 1 and seq >= ${PART} and seq < ${2 * PART}`,
  )
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (plan === undefined) throw new Error('there is no plan')
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

test('postings are vacuumed after a fixed number, whatever the size of the log', async () => {
  const { rows } = await superuser.query<{ reloptions: readonly string[] }>(
    `select reloptions from pg_class where oid = 'ledger.posting'::regclass`,
  )
  expect(rows[0]?.reloptions.toSorted()).toEqual([
    'autovacuum_vacuum_insert_scale_factor=0',
    'autovacuum_vacuum_insert_threshold=200000',
  ])
})

test('a query for a part reads little after a vacuum; sabotaged twin: before it, all new pages', async () => {
  await superuser.query('alter table ledger.posting disable trigger all')
  await superuser.query('alter table ledger.posting set (autovacuum_enabled = off)')
  const grow = (from: number) =>
    superuser.query(
      `insert into ledger.posting (ledger_id, account, seq, leg, amount_minor, balance_after_minor)
       select 1, 'committed', seq, 0, 1, seq from generate_series($1::bigint, $2::bigint) as seq`,
      [from, from + POSTINGS - 1],
    )
  await grow(0)
  await superuser.query('vacuum analyze ledger.posting')
  const summarized = await countPages()
  await grow(POSTINGS)
  const grown = await countPages()
  await superuser.query('vacuum ledger.posting')
  expect(grown).toBeGreaterThan(5 * summarized)
  expect(await countPages()).toBeLessThan(2 * summarized)
})
