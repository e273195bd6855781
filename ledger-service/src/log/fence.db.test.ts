import { randomBytes } from 'node:crypto'
import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClosedMonth, plainRules, VERIFIER_KEY } from '../../test/support/rule-book.ts'
import {
  createFundedInvestor,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createVersionedModel } from '../../test/support/versioned-model.ts'
import { model } from '../domain/model.ts'
import type { Head } from './head.ts'
import { computeRoot, packFrontier } from './merkle.ts'
import { createPostgresStore } from './postgres-store.ts'
import { EMPTY_CHAIN } from './refusal-chain.ts'
import { type BatchStatement, createBatchStatement, type HeadMove } from './statement.ts'
import { wrapSessions } from './store.ts'
import { getInsertOnly, getStoredTable, type RowOf, type Table } from './table.ts'
import { logTables, refusalTable } from './tables.ts'

const TABLES = [...logTables, ...model.tables]
const statement = createBatchStatement(TABLES)

/** For each table, the rows that were last written to this table. */
const written = new Map<Table, readonly object[]>()
let move: HeadMove | null = null
let busy: TestLedger
let empty: TestLedger

beforeAll(async () => {
  const wrapStore = wrapSessions((session) => ({
    ...session,
    append: (to, rows) => {
      move = to
      for (const [table, added] of rows)
        if (added.length > 0) written.set(getStoredTable(table), added)
      return session.append(to, rows)
    },
  }))
  const second = createVersionedModel(2)
  ;[busy, empty] = await Promise.all([
    startTestLedger({ wrapStore, model: second }),
    startTestLedger(),
  ])
  await fillEveryTable(busy)
  await empty.submit('SetMoneyRules', { rules: plainRules })
})
afterAll(() => Promise.all([busy.close(), empty.close()]))

const TARGETS = TABLES.flatMap((table) =>
  table.key === null ? [table] : [getInsertOnly(table), table],
)

test.each(TARGETS)(
  'a lost fence keeps a batch out of $name, and only the fence does',
  async (table) => {
    const rows = new Map([[table, written.get(getStoredTable(table)) ?? []]])
    // For a projection, the statement has one clause that inserts rows and one that replaces rows.
    // The test of one clause can leave rows in the table, so these rows are deleted.
    if (getStoredTable(table).key !== null) await empty.runSql(`delete from ledger.${table.name}`)
    const before = await readChecksums(empty)
    expect(await appendWithoutHead(empty, statement, rows)).toBe('fenced')
    expect(await readChecksums(empty)).toEqual(before)

    // Sabotaged twin: the insert into this table does not depend on the head, so an outdated writer
    // can write rows.
    const createUnfencedStatement: BatchStatement = (added) => (to, options) => {
      const fenced = statement(added)(to, options)
      const text = fenced.text.replace(
        'from head, unnest(',
        'from (values ($1::int)) as head(ledger_id), unnest(',
      )
      expect(text).not.toBe(fenced.text)
      return { ...fenced, text }
    }
    if (table.key === null)
      await empty.runSql(`alter table ledger.${table.name} disable trigger all`)
    expect(await appendWithoutHead(empty, createUnfencedStatement, rows)).toBe('fenced')
    expect(await readChecksums(empty)).not.toEqual(before)
  },
)

test('a clock that differs from the database by more than five seconds takes no head', async () => {
  const databaseUrl = empty.database.urlFor('cairn_ledger')
  const takeHeadAt = async (nowMs: number, isClockChecked: boolean) => {
    const store = createPostgresStore({
      ledger: 2,
      databaseUrl,
      statement,
      isClockChecked,
      modelVersion: 1,
    })
    const session = await store.open()
    try {
      return (await session.takeHead(nowMs)).frontier.size
    } finally {
      await session.close()
    }
  }
  const wrong = Date.now() + 3_600_000
  await expect(takeHeadAt(wrong, true)).rejects.toThrow('differ by')
  // Sabotaged twin: if the clocks are not compared, a writer with the wrong clock takes over the
  // log.
  expect(await takeHeadAt(wrong, false)).toBe(0n)
})

test('a batch whose time is ahead of the database is not written, which is not a lost fence', async () => {
  const aheadMs = Date.now() + 60_000
  const append = async (isClockChecked: boolean) => {
    const session = await openSession(empty, isClockChecked)
    const { token, frontier } = await session.takeHead(Date.now())
    const next = { ...createEmptyMove(frontier), token, lastRecordedAtMs: aheadMs }
    const outcome = await session.append(next, new Map([[refusalTable, createRefusals()]]))
    await session.close()
    return outcome
  }
  expect(await append(true)).toBe('clock')
  // Sabotaged twin: if the clocks are not compared, the batch is written. The newest event then has
  // a time in the future, so no writer whose clock is checked can take over the log.
  expect(await append(false)).toBe('written')
  const session = await openSession(empty, true)
  await expect(session.takeHead(Date.now())).rejects.toThrow('ahead of the clock')
  await session.close()
})

describe('after a restore of an earlier state under a running writer', () => {
  /**
   * Simulates a restore. The writer `survivor` takes over the log, and the head gets its old value
   * again. Then a second writer takes over the log, and `change` changes the head. Returns the
   * outcome of the next batch of `survivor`.
   */
  async function appendAfterRestore(change: (token: bigint) => string, with_ = statement) {
    const database = await createTestDatabase()
    const ledger = await startTestLedger({ database })
    // The answer proves that the ledger's own writer has already taken over the log. It therefore
    // does not take over the log during the test.
    const unknown = { investorId: createId(Date.now()) }
    expect(await ledger.submit('CloseInvestor', unknown)).toMatchObject({ outcome: 'refused' })
    const survivor = await openSession(ledger, true, with_)
    const other = await openSession(ledger, true)
    const restored = await readHead(ledger)
    const { token, frontier } = await survivor.takeHead(Date.now())
    await ledger.runSql(
      `update ledger.head set fencing_token = ${restored.fencing_token},
         previous_token = ${restored.previous_token}`,
    )
    await other.takeHead(Date.now())
    await ledger.runSql(change(token))
    const outcome = await survivor.append(
      { ...createEmptyMove(frontier), token },
      new Map([[refusalTable, createRefusals()]]),
    )
    await Promise.all([survivor.close(), other.close()])
    await ledger.close()
    await database.drop()
    return outcome
  }
  const keepTokens = () => 'select 1'
  const repeatToken = (token: bigint) => `update ledger.head set fencing_token = ${token}`
  const repeatTokenWithOtherEvents = (token: bigint) =>
    `update ledger.head set fencing_token = ${token}, root = sha256('other events')`
  const ignoreRoot: BatchStatement = (rows) => (to, options) => {
    const { text, ...rest } = statement(rows)(to, options)
    return { ...rest, text: text.replace('and root = $8', 'and $8::bytea is not null') }
  }

  test('its token is not that of the new writer', async () => {
    expect(await appendAfterRestore(keepTokens)).toBe('fenced')
  })

  test('a repeated token does not help it, because the events differ', async () => {
    expect(await appendAfterRestore(repeatTokenWithOtherEvents)).toBe('fenced')
  })

  test('sabotaged twins: with a token that repeats, only the root prevents its writes', async () => {
    expect(await appendAfterRestore(repeatToken)).toBe('written')
    expect(await appendAfterRestore(repeatTokenWithOtherEvents, ignoreRoot)).toBe('written')
  })
})

function openSession(ledger: TestLedger, isClockChecked: boolean, with_ = statement) {
  const databaseUrl = ledger.database.urlFor('cairn_ledger')
  return createPostgresStore({
    ledger: 1,
    databaseUrl,
    statement: with_,
    isClockChecked,
    modelVersion: 1,
  }).open()
}

async function readHead(ledger: TestLedger) {
  const [head] = await ledger.runSql<{ fencing_token: string; previous_token: string }>(
    'select fencing_token::text, previous_token::text from ledger.head',
  )
  if (head === undefined) throw new Error('the ledger has no head')
  return head
}

/** Returns a change to the head that adds no event. */
function createEmptyMove(frontier: Head['frontier']): Omit<HeadMove, 'token'> {
  const root = computeRoot(frontier)
  return {
    ledger: 1,
    fromSize: frontier.size,
    fromRoot: root,
    size: frontier.size,
    root,
    frontier: packFrontier(frontier),
    fromRefusals: EMPTY_CHAIN,
    refusals: EMPTY_CHAIN,
    model: 1,
    lastRecordedAtMs: Date.now(),
  }
}

function createRefusals(): readonly RowOf<typeof refusalTable>[] {
  return [
    {
      place: 0n,
      idempotencyHash: randomBytes(32),
      requestHash: randomBytes(32),
      code: 'NOT_FOUND',
      message: 'a refusal of this test',
      details: '{}',
      recordedAt: Date.now(),
      bytes: randomBytes(32),
    },
  ]
}

/** Tries to append with a fencing token that no writer has. */
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
    modelVersion: 1,
  }).open()
  try {
    return await session.append({ ...move, token: 999n }, rows)
  } finally {
    await session.close()
  }
}

/** Returns the row count and a checksum of each table, because updates do not change the count. */
async function readChecksums(ledger: TestLedger): Promise<Record<string, string>> {
  const counts: Record<string, string> = {}
  for (const { name } of [...TABLES, { name: 'head' }]) {
    const [row] = await ledger.runSql<{ said: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as said
       from ledger.${name} as t`,
    )
    counts[name] = row?.said ?? ''
  }
  return counts
}

async function fillEveryTable(ledger: TestLedger): Promise<void> {
  await requireRecorded(ledger.submit('ChooseCurrency', { asset: 'EUR/2' }))
  await requireRecorded(ledger.submit('ActivateModel', { version: 2 }))
  await requireRecorded(ledger.submit('PermitImport', { fileSha256: '00'.repeat(32) }))
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
  const planId = createId(Date.now())
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  await requireRecorded(ledger.submit('SetMoneyRules', { rules: plainRules }))
  await requireRecorded(ledger.submit('AddApprover', { approverId: 'ada' }))
  await requireRecorded(ledger.submit('PermitKeyRotation', { verifierKey: VERIFIER_KEY }))
  await requireRecorded(ledger.submit('CloseMonth', createClosedMonth('2026-01')))
  await requireRecorded(ledger.submit('SealAudit', { count: 1, head: '00'.repeat(32) }))
  const note = { transactionId: createId(Date.now()), amountMinor: 1n, note: null }
  await requireRecorded(ledger.submit('FundReserve', note, { actor: 'admin:ada' }))
  const opening = { investorId, planId, amountMinor: 20_000n, planVersion: null }
  const investmentId = createId(Date.now())
  await requireRecorded(ledger.submit('OpenInvestment', { ...opening, investmentId }))
  const refused = await ledger.submit('OpenInvestment', { ...opening, investmentId }, { key: 'k' })
  expect(refused.outcome).toBe('refused')
  // The 256th event completes the first stored subtree.
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  await Promise.all(
    Array.from({ length: 256 }, () =>
      requireRecorded(
        ledger.submit('FundWallet', { ...gift, transactionId: createId(Date.now()), investorId }),
      ),
    ),
  )
  expect([...written.keys()].map(({ name }) => name).toSorted()).toEqual(
    TABLES.map(({ name }) => name).toSorted(),
  )
}
