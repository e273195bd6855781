import { setTimeout as delay } from 'node:timers/promises'
import {
  createId,
  createLedgerClient,
  type LedgerClient,
  LedgerUnreachable,
  toJson,
} from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import { expect, test } from 'vitest'
import { type StoreSession, wrapSessions } from '../src/log/store.ts'
import { createPool } from '../src/service/database/pool.ts'
import { recordFigure } from './support/figure.ts'
import { startHttpLedgers } from './support/http-ledgers.ts'
import { TEST_TOKEN } from './support/service-process.ts'
import { createFundedInvestor } from './support/test-ledger.ts'

/** The minimum number of events. The scorecard and `npm run torture` set it to 15,000. */
const EVENTS_MIN = Number(process.env.TORTURE_EVENTS ?? 2_000)
const WRITERS = 16
const COMMANDS_MAX = 12
const BATCHES_PER_CUT = 25
const PAGE_MAX = 200
/** The number of rows of the twin, which ends at the first missed row. */
const TWIN_ROWS_MAX = 5_000n

/**
 * Closes the connection at some batches. The connection closes alternately before a batch is
 * written and after a batch is written.
 */
function cutConnections(session: StoreSession): StoreSession {
  let batches = 0
  return {
    ...session,
    append: async (move, rows) => {
      batches += 1
      if (batches % BATCHES_PER_CUT !== 0) return session.append(move, rows)
      if (batches % (2 * BATCHES_PER_CUT) === 0) await session.append(move, rows)
      await session.close()
      throw new Error('the connection is lost')
    },
  }
}

/**
 * Runs one of sixteen clients. Some clients are slow; some clients disconnect and retry with the
 * same keys.
 */
async function submitInLoop(
  target: { client: LedgerClient; url: string; ledger: number; investorId: string },
  state: { isRunning: boolean },
  index: number,
): Promise<void> {
  while (state.isRunning) {
    const commands = Array.from({ length: 1 + Math.floor(Math.random() * COMMANDS_MAX) }, () => {
      const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
      const transactionId = createId(Date.now())
      const data = { ...gift, transactionId, investorId: target.investorId }
      const rest = { actor: 'system:writer', key: transactionId, requestId: null }
      return { type: 'FundWallet' as const, data, ...rest, effectiveAt: null }
    })
    if (index % 4 === 0) await sendAndDisconnect(target, commands)
    const answers = await target.client.submitMany(commands, 'interactive')
    expect(answers.filter(({ outcome }) => outcome !== 'recorded')).toEqual([])
    if (index % 4 === 1) await delay(Math.random() * 20)
  }
}

async function sendAndDisconnect(
  target: { url: string; ledger: number },
  commands: unknown,
): Promise<void> {
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json' },
    body: toJson({ ledger: target.ledger, lane: 'interactive', commands }),
    signal: AbortSignal.timeout(1 + Math.floor(Math.random() * 3)),
  }
  await fetch(`${target.url}/v1/commands`, request).catch(() => null)
}

/**
 * Runs a follower that stops at any time and continues from its stored cursor. Returns the events
 * that it read.
 */
async function readWithRestarts(
  from: { url: string; ledger: number },
  isDone: (seen: readonly bigint[]) => boolean,
): Promise<{ seen: readonly bigint[]; restarts: number }> {
  const seen: bigint[] = []
  let cursor = -1n
  let restarts = 0
  while (!isDone(seen)) {
    const client = createLedgerClient({ ...from, token: TEST_TOKEN })
    const signal = AbortSignal.timeout(5 + Math.floor(Math.random() * 60))
    try {
      while (!isDone(seen)) {
        const limit = 1 + Math.floor(Math.random() * PAGE_MAX)
        const { events } = await client.events({ after: cursor, waitSeconds: 1, limit, signal })
        for (const { seq } of events) seen.push(seq)
        cursor = events.at(-1)?.seq ?? cursor
      }
    } catch (error) {
      if (!(error instanceof LedgerUnreachable)) throw error
      restarts += 1
    }
  }
  return { seen, restarts }
}

test('a follower that restarts at random sees every event once and in order', async ({ task }) => {
  const service = await startHttpLedgers()
  const { client, ledger, number, close } = await service.open({
    wrapStore: wrapSessions(cutConnections),
  })
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const from = { url: service.url, ledger: number }
  const state = { isRunning: true }
  const target = { client, investorId, ...from }
  const writing = Array.from({ length: WRITERS }, (_, index) => submitInLoop(target, state, index))
  let size: bigint | null = null
  const following = readWithRestarts(from, (seen) => size !== null && BigInt(seen.length) >= size)
  for (let reached = 0n; reached < EVENTS_MIN; ) {
    await delay(50)
    reached = (await client.ask('head', { size: null })).size
  }
  state.isRunning = false
  await Promise.all(writing)
  size = (await client.ask('head', { size: null })).size
  const { seen, restarts } = await following
  const { problems } = await ledger.ask('check', {})
  await close()
  await service.close()

  const missed = Number(size) - new Set(seen).size
  const disordered = seen.filter((seq, index) => seq !== BigInt(index)).length
  expect({ missed, disordered, problems }).toEqual({ missed: 0, disordered: 0, problems: [] })
  expect(restarts).toBeGreaterThan(10)
  recordFigure(task, `0 of ${size} missed, 0 out of order, ${restarts} restarts`)
})

test('sabotaged twin: a follower of a serial column misses events', async ({ task }) => {
  const database = await createTestDatabase({ empty: true })
  const pool = createPool({ url: database.url, max: WRITERS + 1, name: 'naive' })
  await pool.query('create table public.naive (pos bigserial primary key)')
  const state = { isRunning: true }

  async function insertInLoop(): Promise<void> {
    while (state.isRunning) {
      const client = await pool.connect()
      await client.query('begin; insert into public.naive default values')
      await delay(Math.random() * 5)
      await client.query(Math.random() < 0.1 ? 'rollback' : 'commit')
      client.release()
    }
  }

  let last = 0n
  let seen = 0
  async function countNewRows(): Promise<void> {
    const { rows } = await pool.query<{ pos: bigint }>(
      'select pos from public.naive where pos > $1 order by pos',
      [last],
    )
    seen += rows.length
    last = rows.at(-1)?.pos ?? last
  }

  async function countRows(to: bigint): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from public.naive where pos <= $1',
      [to],
    )
    return rows[0]?.count ?? 0
  }

  // The pool opens all connections first, because a single writer commits its rows in order.
  const clients = await Promise.all(Array.from({ length: WRITERS + 1 }, () => pool.connect()))
  for (const client of clients) client.release()
  const all = Array.from({ length: WRITERS }, insertInLoop)
  while (last < TWIN_ROWS_MAX && (await countRows(last)) === seen) await countNewRows()
  state.isRunning = false
  await Promise.all(all)
  await countNewRows()
  const written = await countRows(last)
  await pool.end()
  await database.drop()
  expect(written - seen).toBeGreaterThan(0)
  recordFigure(task, `${written - seen} of ${written} missed`)
})
