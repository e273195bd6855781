import { newId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRules } from '../../test/support/rule-book.ts'
import {
  createFundedInvestor,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { wrapSessions } from '../../test/support/wrapped-store.ts'
import { model } from '../domain/model.ts'
import { createPostgresStore } from './postgres-store.ts'
import { type BatchStatement, createBatchStatement, type HeadMove } from './statement.ts'
import type { Table } from './table.ts'
import { logTables } from './tables.ts'

const TABLES = [...logTables, ...model.tables]
const statement = createBatchStatement(TABLES)

/** The rows that were written last, by table. */
const written = new Map<Table, readonly object[]>()
let move: HeadMove | null = null
let busy: TestLedger
let empty: TestLedger

beforeAll(async () => {
  const wrapStore = wrapSessions((session) => ({
    ...session,
    append: (to, rows) => {
      move = to
      for (const [table, added] of rows) if (added.length > 0) written.set(table, added)
      return session.append(to, rows)
    },
  }))
  ;[busy, empty] = await Promise.all([startTestLedger({ wrapStore }), startTestLedger()])
  await fillEveryTable(busy)
  await empty.submit('SetMoneyRules', { rules: plainRules })
})
afterAll(() => Promise.all([busy.close(), empty.close()]))

test.each(TABLES)(
  'a lost fence keeps a batch out of $name, and only the fence does',
  async (table) => {
    const rows = new Map([[table, written.get(table) ?? []]])
    const before = await readChecksums(empty)
    expect(await appendWithoutHead(empty, statement, rows)).toBe('fenced')
    expect(await readChecksums(empty)).toEqual(before)

    // Sabotaged twin: if the insert into this table does not depend on the head, its rows are
    // written.
    const createUnfenced: BatchStatement = (added) => (to) => {
      const fenced = statement(added)(to)
      const text = fenced.text.replace(
        'from head, unnest(',
        'from (values ($1::int)) as head(ledger_id), unnest(',
      )
      expect(text).not.toBe(fenced.text)
      return { ...fenced, text }
    }
    if (table.key === null) await empty.sql(`alter table ledger.${table.name} disable trigger all`)
    expect(await appendWithoutHead(empty, createUnfenced, rows)).toBe('fenced')
    expect(await readChecksums(empty)).not.toEqual(before)
  },
)

test('a clock that differs from the database by more than five seconds takes no head', async () => {
  const databaseUrl = empty.database.urlFor('cairn_ledger')
  const takeHeadAt = async (nowMs: number, isClockChecked: boolean) => {
    const store = createPostgresStore({ ledger: 2, databaseUrl, statement, isClockChecked })
    const session = await store.open()
    try {
      return (await session.takeHead(nowMs)).frontier.size
    } finally {
      await session.close()
    }
  }
  const wrong = Date.now() + 3_600_000
  await expect(takeHeadAt(wrong, true)).rejects.toThrow('differ by')
  // Sabotaged twin: without the check, a writer with the same wrong clock takes the head.
  expect(await takeHeadAt(wrong, false)).toBe(0n)
})

/** Tries to append with an epoch that no writer has. */
async function appendWithoutHead(
  ledger: TestLedger,
  with_: BatchStatement,
  rows: ReadonlyMap<Table, readonly object[]>,
): Promise<string> {
  if (move === null) throw new Error('nothing was written')
  const databaseUrl = ledger.database.urlFor('cairn_ledger')
  const session = await createPostgresStore({
    ledger: 1,
    databaseUrl,
    statement: with_,
    isClockChecked: true,
  }).open()
  try {
    return await session.append({ ...move, epoch: 999n }, rows)
  } finally {
    await session.close()
  }
}

/** Returns the row count and a checksum of each table, because updates do not change the count. */
async function readChecksums(ledger: TestLedger): Promise<Record<string, string>> {
  const counts: Record<string, string> = {}
  for (const { name } of [...TABLES, { name: 'head' }]) {
    const [row] = await ledger.sql<{ said: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as said
       from ledger.${name} as t`,
    )
    counts[name] = row?.said ?? ''
  }
  return counts
}

async function fillEveryTable(ledger: TestLedger): Promise<void> {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
  const planId = newId(Date.now())
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  await requireRecorded(ledger.submit('SetMoneyRules', { rules: plainRules }))
  await requireRecorded(ledger.submit('AddApprover', { approverId: 'ada' }))
  await requireRecorded(ledger.submit('SealAudit', { count: 1, head: '00'.repeat(32) }))
  const note = { transactionId: newId(Date.now()), amountMinor: 1n, note: null }
  await requireRecorded(ledger.submit('FundReserve', note, { actor: 'admin:ada' }))
  const opening = { investorId, planId, amountMinor: 20_000n, planVersion: null }
  const investmentId = newId(Date.now())
  await requireRecorded(ledger.submit('OpenInvestment', { ...opening, investmentId }))
  const refused = await ledger.submit('OpenInvestment', { ...opening, investmentId }, { key: 'k' })
  expect(refused.outcome).toBe('refused')
  // The 256th event completes the first stored subtree.
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  await Promise.all(
    Array.from({ length: 256 }, () =>
      requireRecorded(
        ledger.submit('FundWallet', { ...gift, transactionId: newId(Date.now()), investorId }),
      ),
    ),
  )
  expect([...written.keys()].map(({ name }) => name).toSorted()).toEqual(
    TABLES.map(({ name }) => name).toSorted(),
  )
}
