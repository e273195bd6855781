import { account, createId, getAccountKind } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'
import { createPool } from '../../service/database/pool.ts'
import {
  areSameTotals,
  computeTotalsAt,
  computeTrialBalanceAt,
  listStoredTotals,
  listWrongTotals,
  type Totals,
} from './past-totals.ts'
import { createPastTotalsFiller, type PastTotalsFiller } from './past-totals-filler.ts'

const EVENTS = 24
let ledger: TestLedger
let pool: pg.Pool
let fillerOptions: Parameters<typeof createPastTotalsFiller>[0]
beforeAll(async () => {
  const database = await createTestDatabase()
  ledger = await startTestLedger({ database })
  pool = createPool({ url: database.urlFor('cairn_ledger'), max: 4, name: 'test-past' })
  const log = pino({ level: 'silent' })
  fillerOptions = { pool, ledger: 1, log, firstAfterMs: 0, nextAfterMs: 10 }
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100n })
  const gift = { investorId, wallet: 'balance', category: null, reason: null } as const
  for (let amountMinor = 1n; amountMinor <= BigInt(EVENTS); amountMinor += 1n) {
    const transactionId = createId(ledger.clock.now())
    await requireRecorded(ledger.submit('FundWallet', { ...gift, transactionId, amountMinor }))
  }
})
afterAll(async () => {
  await pool?.end()
  await ledger?.close()
})

/** Computes the totals independently of the tested code, from all postings. */
async function computeExpectedTotals(seq: bigint): Promise<Totals> {
  const { rows } = await pool.query<{ account: string; amount_minor: bigint }>(
    'select account, amount_minor from ledger.posting where seq <= $1',
    [seq],
  )
  const totals = new Map<string, bigint>()
  for (const { account: code, amount_minor } of rows) {
    totals.set(getAccountKind(code), (totals.get(getAccountKind(code)) ?? 0n) + amount_minor)
  }
  return totals
}

async function readLastSeq(): Promise<bigint> {
  return (await ledger.ask('trialBalance', { at: null })).seq
}

/** Starts a filler whose parts have `partEvents` events, and waits until it has stored `parts` sums. */
async function fill(partEvents: bigint, parts: number): Promise<PastTotalsFiller> {
  const filler = createPastTotalsFiller({ ...fillerOptions, partEvents })
  await expect.poll(listSizes).toHaveLength(parts)
  return filler
}

async function listSizes(): Promise<readonly bigint[]> {
  return (await listStoredTotals(pool, { ledger: 1 })).map(({ size }) => size)
}

/** Computes the sums and lists the first and last event of each statement about postings. */
async function readRanges(seq: bigint, partEvents: bigint) {
  const ranges: unknown[] = []
  const query = async (text: string, values: readonly unknown[]) => {
    if (text.includes('ledger.posting')) ranges.push(values.slice(1, 3))
    return await pool.query(text, [...values])
  }
  // The cast is safe, because the function only calls `query`.
  const counted = { query } as unknown as pg.Pool
  const totals = await computeTotalsAt(counted, { ledger: 1, seq, partEvents })
  return { totals, ranges }
}

beforeEach(() => ledger.runSql('delete from ledger.past_total'))

test('the totals after every event are the sums of the postings, with and without stored sums', async () => {
  const last = await readLastSeq()
  for (const parts of [0, Number((last + 1n) / 4n)]) {
    const filler = parts > 0 ? await fill(4n, parts) : null
    for (let seq = -1n; seq <= last; seq += 1n) {
      const expected = await computeExpectedTotals(seq)
      expect(await computeTotalsAt(pool, { ledger: 1, seq, partEvents: 4n })).toEqual(expected)
      expect(await computeTrialBalanceAt(pool, { ledger: 1, seq })).toEqual(expected)
    }
    await filler?.stop()
  }
})

test('a query after a start reads less than a part, in statements of at most one part', async () => {
  const last = await readLastSeq()
  const parts = (last + 1n) / 4n
  const without = await readRanges(last, 4n)
  expect(without.ranges.slice(0, 2)).toEqual([
    [0n, 4n],
    [4n, 8n],
  ])
  await (await fill(4n, Number(parts))).stop()
  const { totals, ranges } = await readRanges(last, 4n)
  expect(totals).toEqual(await computeExpectedTotals(last))
  expect(ranges).toEqual((last + 1n) % 4n === 0n ? [] : [[parts * 4n, last + 1n]])
})

test('the sums are stored while the log grows, once by two instances', async () => {
  const before = await readLastSeq()
  const parts = Number((before + 1n) / 3n)
  const fillers = await Promise.all([fill(3n, parts), fill(3n, parts)])
  for (let count = 0; count < 3; count += 1) {
    await createFundedInvestor(ledger, { amountMinor: 700n })
  }
  const last = await readLastSeq()
  for (const filler of fillers) filler.notifyAppended(last + 1n)
  const grown = Number((last + 1n) / 3n)
  expect(grown).toBeGreaterThan(parts)
  const notifyAndListSizes = () => {
    for (const filler of fillers) filler.notifyAppended(last + 1n)
    return listSizes()
  }
  await expect.poll(notifyAndListSizes).toHaveLength(grown)
  for (const filler of fillers) await filler.stop()
  for (const { size, totals } of await listStoredTotals(pool, { ledger: 1 })) {
    expect(areSameTotals(totals, await computeExpectedTotals(size - 1n))).toBe(true)
  }
})

test('a stop ends the sums in the background', async () => {
  const filler = createPastTotalsFiller({ ...fillerOptions, partEvents: 1n, firstAfterMs: 600_000 })
  await filler.stop()
  filler.notifyAppended(1_000n)
  expect(await listSizes()).toEqual([])
})

test('wrong sums are found, and only they', async () => {
  await (await fill(4n, Number(((await readLastSeq()) + 1n) / 4n))).stop()
  expect(await listWrongTotals(pool, { ledger: 1 })).toEqual([])
  await ledger.runSql(
    `update ledger.past_total set totals = totals || '{"cash": "7"}' where size = 8`,
  )
  expect(await listWrongTotals(pool, { ledger: 1 })).toEqual([8n])
})

test('an account outside the chart of accounts is an error', async () => {
  const stray = account.getCashCode('stray').replace('cash:', 'purse:')
  await ledger.runSql(
    `insert into ledger.posting (ledger_id, account, seq, leg, amount_minor, balance_after_minor)
     values (1, '${stray}', 0, 9, 1, 1), (1, '${stray}', 0, 10, -1, 0)`,
  )
  await expect(computeTotalsAt(pool, { ledger: 1, seq: 5n })).rejects.toThrow(
    'no such account in the chart',
  )
})
