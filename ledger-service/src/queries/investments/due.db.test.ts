import { createId, type QueryRequest } from '@cairn/ledger-contracts'
import { type SelectQueryBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  DAY_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'
import { createDatabase, type Database, type LedgerSchema } from '../schema.ts'
import { selectDelay, selectDue } from './due.ts'

const ACTIVE = 3
const ENDED = 20_000
/** The number of rows that a query may read beside the active investments. */
const OTHER_ROWS_MAX = 10

let ledger: TestLedger
let db: Database
beforeAll(async () => {
  ledger = await startTestLedger()
  db = createDatabase(ledger.pool)
  const planId = createId(ledger.clock.now())
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
  for (let count = 0; count < ACTIVE; count += 1) {
    const investmentId = createId(ledger.clock.now())
    const opening = { investmentId, investorId, planId, planVersion: null, amountMinor: 10_000n }
    await requireRecorded(ledger.submit('OpenInvestment', opening))
  }
  await addEndedInvestments()
  await ledger.runSql('analyze ledger.investment')
})
afterAll(() => ledger.close())

/** Copies one investment. The ids of the copies sort before and after the id of the original. */
async function addEndedInvestments(): Promise<void> {
  const columns = await ledger.runSql<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'ledger.investment'::regclass and attnum > 0 order by attnum`,
  )
  const changed: Record<string, string> = {
    investment_id: `case when place % 2 = 0 then '0' else 'z' end || place`,
    reference: `'E' || place`,
    status: `'completed'`,
    next_due_at: 'null',
  }
  const values = columns.map(({ name }) => changed[name] ?? name)
  await ledger.runSql(
    `insert into ledger.investment select ${values.join(', ')}
     from (select * from ledger.investment limit 1) as original, generate_series(1, ${ENDED}) as place`,
  )
}

interface Node {
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Runs the query and returns the number of rows that it read from the table. */
async function countReadRows<Row>(
  query: SelectQueryBuilder<LedgerSchema, 'investment', Row>,
): Promise<number> {
  const [answer] = await query.explain<{ 'QUERY PLAN': [{ Plan: Node }] }>('json', sql`analyze`)
  let node: Node | undefined = answer?.['QUERY PLAN'][0].Plan
  while (node?.Plans !== undefined) node = node.Plans[0]
  return (node?.['Actual Rows'] ?? 0) + (node?.['Rows Removed by Filter'] ?? 0)
}

const page = { after: null, investorId: null, limit: 500 }
const selectDueOf = (request: QueryRequest<'due'>) => selectDue(db, { ...request, ledger: 1 })
const toLater = (days: number) => new Date(ledger.clock.now() + days * DAY_MS).toISOString()

test('the walk over due investments reads no ended investment', async () => {
  const now = toLater(2)
  const { due } = await ledger.ask('due', { ...page, now })
  expect(due).toHaveLength(ACTIVE)
  expect(due.map(({ units }) => units)).toEqual([2, 2, 2])
  expect(await countReadRows(selectDueOf({ ...page, now }))).toBeLessThan(OTHER_ROWS_MAX)
  const after = due[1]?.investmentId ?? null
  expect((await ledger.ask('due', { ...page, now, after })).due).toEqual(due.slice(2))
  expect(await countReadRows(selectDueOf({ ...page, now, after }))).toBeLessThan(OTHER_ROWS_MAX)
})

test('the walk reads no ended investment if nothing is due', async () => {
  const now = toLater(0)
  expect(await ledger.ask('due', { ...page, now })).toEqual({ due: [] })
  expect(await countReadRows(selectDueOf({ ...page, now }))).toBeLessThan(OTHER_ROWS_MAX)
})

test('the delay of the accruals is measured without reading ended investments', async () => {
  const now = toLater(2)
  const { due, oldestDueAt } = await ledger.ask('dueLag', { now })
  expect(due).toBe(ACTIVE)
  expect(Date.parse(oldestDueAt ?? '')).toBeLessThan(Date.parse(toLater(1)) + 1)
  expect(await countReadRows(selectDelay(db, { ledger: 1, now }))).toBeLessThan(OTHER_ROWS_MAX)
})

test('sabotaged twin: without an index over active investments the walk reads every investment', async () => {
  await ledger.runSql('drop index ledger.investment_active, ledger.investment_by_end')
  const now = toLater(0)
  expect(await countReadRows(selectDueOf({ ...page, now }))).toBeGreaterThan(ENDED)
})
