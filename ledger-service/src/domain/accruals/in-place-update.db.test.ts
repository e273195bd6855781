import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  DAY_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'

/** The tables of which an accrual updates a row. */
const UPDATED = ['balance', 'control_total', 'investment', 'investor']

let ledger: TestLedger
/** The columns that an accrual changed, as `table.column`. */
let changed: readonly string[]
beforeAll(async () => {
  ledger = await startTestLedger()
  const planId = createId(ledger.clock.now())
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
  const investmentId = createId(ledger.clock.now())
  const opening = { investmentId, investorId, planId, planVersion: null, amountMinor: 10_000n }
  await requireRecorded(ledger.submit('OpenInvestment', opening))
  // The first accrual adds the rows of the wallet and of its total. The second one only updates rows.
  await accrueThrough(investmentId, 1)
  const before = await readRows()
  await accrueThrough(investmentId, 2)
  changed = listChangedColumns(before, await readRows())
})
afterAll(() => ledger.close())

async function accrueThrough(investmentId: string, units: number): Promise<void> {
  ledger.clock.set(ledger.clock.now() + DAY_MS)
  await requireRecorded(ledger.submit('AccrueThrough', { investmentId, units }))
}

type Rows = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>

async function readRows(): Promise<Rows> {
  const rows = new Map<string, readonly Readonly<Record<string, unknown>>[]>()
  for (const table of UPDATED) {
    const found = await ledger.runSql<{ content: Record<string, unknown> }>(
      `select to_jsonb(row) as content from ledger.${table} as row
       order by (select string_agg(value, ' ') from jsonb_each_text(to_jsonb(row))
         where key in ('account', 'name', 'investment_id', 'investor_id'))`,
    )
    rows.set(
      table,
      found.map(({ content }) => content),
    )
  }
  return rows
}

function listChangedColumns(before: Rows, after: Rows): readonly string[] {
  const names = new Set<string>()
  for (const [table, rows] of after) {
    const earlier = before.get(table) ?? []
    expect(rows.length, table).toBe(earlier.length)
    for (const [place, row] of rows.entries()) {
      for (const [column, value] of Object.entries(row)) {
        if (value !== earlier[place]?.[column]) names.add(`${table}.${column}`)
      }
    }
  }
  return [...names].sort()
}

/** Returns the indexes that name the column as a key, as an included column or in a condition. */
async function listIndexesOf(column: string): Promise<readonly string[]> {
  const [table, name] = column.split('.')
  const found = await ledger.runSql<{ index: string }>(
    `select indexrelid::regclass::text as index from pg_index
     where indrelid = 'ledger.${table}'::regclass
       and pg_get_indexdef(indexrelid) ~ '\\m${name}\\M'`,
  )
  return found.map(({ index }) => index)
}

async function listIndexesOfChangedColumns(): Promise<readonly string[]> {
  return (await Promise.all(changed.map(listIndexesOf))).flat()
}

test('an accrual changes no column of an index, so that its rows are updated in place', async () => {
  expect(changed).toEqual(
    expect.arrayContaining([
      'balance.balance_minor',
      'investment.credited_minor',
      'investment.next_due_at',
      'investment.units_done',
      'investor.profit_minor',
    ]),
  )
  expect(await listIndexesOfChangedColumns()).toEqual([])
})

test('sabotaged twin: an index on the due time is reported', async () => {
  await ledger.runSql(
    "create index by_due on ledger.investment (ledger_id) where next_due_at > '2026-01-01'",
  )
  expect(await listIndexesOfChangedColumns()).toEqual(['ledger.by_due'])
})
