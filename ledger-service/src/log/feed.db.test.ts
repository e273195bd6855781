import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createFeed, type Feed } from './feed.ts'

const WAIT_MS = 120_000

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
})
afterAll(() => ledger.close())

test('an event appended during a read is delivered without a further event', async () => {
  let appendOnce: (() => Promise<void>) | null = async () => {
    appendOnce = null
    await createFundedInvestor(ledger, { amountMinor: 100n })
    feed.notifyAppended()
  }
  const queryAndAppend = async (statement: { name?: string }, values?: unknown[]) => {
    const answer = await ledger.pool.query(statement as pg.QueryConfig, values)
    if (statement.name === 'feed') await appendOnce?.()
    return answer
  }
  const feed: Feed = createFeed({
    ledger: 1,
    pool: { query: queryAndAppend } as unknown as pg.Pool,
  })
  const { size } = await ledger.ask('head', { size: null })
  const began = performance.now()
  const { signal } = new AbortController()
  const page = await feed.read({ after: size - 1n, limit: 10, waitMs: WAIT_MS, signal })
  expect(page.events.map(({ seq }) => seq)).toContain(size)
  expect(performance.now() - began).toBeLessThan(WAIT_MS)
})
