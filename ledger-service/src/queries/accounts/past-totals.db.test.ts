import { account, createId, getAccountKind } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'
import { createPool } from '../../service/database/pool.ts'
import { fillPastTotals } from './fill-past-totals.ts'
import { computeTrialBalanceAt, createPastTotals, type Totals } from './past-totals.ts'

const EVENTS = 24
let ledger: TestLedger
let pool: pg.Pool
beforeAll(async () => {
  const database = await createTestDatabase()
  ledger = await startTestLedger({ database })
  pool = createPool({ url: database.urlFor('cairn_ledger'), max: 4, name: 'test-past' })
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

test('the totals after every event are the sums of the postings, for any order of queries', async () => {
  const last = await readLastSeq()
  const past = createPastTotals({ pool, ledger: 1, partEvents: 4n })
  const places = [last, 3n, 4n, 0n, -1n, last - 5n, last]
  for (const seq of places)
    expect(await past.computeTotalsAt(seq)).toEqual(await computeExpectedTotals(seq))
  for (let seq = -1n; seq <= last; seq += 1n) {
    const expected = await computeExpectedTotals(seq)
    expect(await past.computeTotalsAt(seq)).toEqual(expected)
    expect(await computeTrialBalanceAt(pool, { ledger: 1, seq })).toEqual(expected)
  }
})

test('concurrent queries add no part twice, and the totals grow with the log', async () => {
  const past = createPastTotals({ pool, ledger: 1, partEvents: 3n })
  const last = await readLastSeq()
  const places = Array.from({ length: 12 }, (_, place) => last - BigInt(place))
  const answers = await Promise.all(places.map((seq) => past.computeTotalsAt(seq)))
  for (const [place, seq] of places.entries()) {
    expect(answers[place]).toEqual(await computeExpectedTotals(seq))
  }
  await createFundedInvestor(ledger, { amountMinor: 700n })
  const grown = await past.computeTotalsAt(await readLastSeq())
  expect(grown).toEqual(await computeExpectedTotals(await readLastSeq()))
  expect([...grown.values()].reduce((sum, total) => sum + total, 0n)).toBe(0n)
})

test('a statement reads one part, and a failure keeps the parts that were added before', async () => {
  const ranges: unknown[] = []
  let failing = 3
  const query = async (text: string, values: unknown[]) => {
    ranges.push(values.slice(1, 3))
    if (ranges.length === failing) throw new Error('canceling statement due to statement timeout')
    return await pool.query(text, values)
  }
  // The cast is safe, because the totals only call `query`.
  const past = createPastTotals({
    pool: { query } as unknown as pg.Pool,
    ledger: 1,
    partEvents: 4n,
  })
  const seq = 18n
  await expect(past.computeTotalsAt(seq)).rejects.toThrow('statement timeout')
  failing = 0
  expect(await past.computeTotalsAt(seq)).toEqual(await computeExpectedTotals(seq))
  const parts = [0n, 4n, 8n, 8n, 12n].map((from) => [from, from + 4n])
  expect(ranges).toEqual([...parts, [16n, 19n]])
})

test('the parts are summed in the background after a start, so that a query reads less than a part', async () => {
  const ranges: bigint[] = []
  const query = async (text: string, values: readonly unknown[]) => {
    // The cast is safe, because the second value of each statement about postings is a seq.
    if (text.includes('ledger.posting')) ranges.push(values[1] as bigint)
    return await pool.query(text, [...values])
  }
  // The cast is safe, because the totals only call `query`.
  const counted = { query } as unknown as pg.Pool
  const past = createPastTotals({ pool: counted, ledger: 1, partEvents: 4n })
  const log = pino({ level: 'silent' })
  const filling = fillPastTotals({ pastTotals: past, pool, ledger: 1, log, firstAfterMs: 0 })
  const last = await readLastSeq()
  const parts = Number((last + 1n) / 4n)
  await vi.waitFor(() => expect(ranges).toHaveLength(parts), { timeout: 20_000 })
  await filling.stop()
  expect(await past.computeTotalsAt(last)).toEqual(await computeExpectedTotals(last))
  expect(ranges.slice(parts)).toEqual((last + 1n) % 4n === 0n ? [] : [BigInt(parts) * 4n])
})

test('a stop ends the sums in the background', async () => {
  const past = createPastTotals({ pool, ledger: 1, partEvents: 1n })
  const log = pino({ level: 'silent' })
  const filling = fillPastTotals({ pastTotals: past, pool, ledger: 1, log, firstAfterMs: 600_000 })
  await filling.stop()
  expect(await past.addNextPart(1n)).toBe(true)
})

test('an account outside the chart of accounts is an error', async () => {
  const stray = account.getCashCode('stray').replace('cash:', 'purse:')
  await ledger.runSql(
    `insert into ledger.posting (ledger_id, account, seq, leg, amount_minor, balance_after_minor)
     values (1, '${stray}', 0, 9, 1, 1), (1, '${stray}', 0, 10, -1, 0)`,
  )
  const past = createPastTotals({ pool, ledger: 1 })
  await expect(past.computeTotalsAt(5n)).rejects.toThrow('no such account in the chart')
})
