import { type Command, createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'

const GIFTS = 6_000
const TOGETHER = 100
/**
 * The maximum number of rows that index scans may fetch in this test. A plan that was made for a
 * small table may fetch all rows for each lookup. With such a plan, the 6,000 lookups would fetch
 * about 18 million rows. The store must therefore replace the plan as the log grows.
 */
const ROWS_FETCHED_MAX = 2_000_000

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
})
afterAll(() => ledger.close())

test('lookups use the indexes of a grown log without statistics', async () => {
  await ledger.runSql('alter table ledger.transaction set (autovacuum_enabled = off)')
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100n })
  for (let sent = 0; sent < GIFTS; sent += TOGETHER) {
    await ledger.parts.writer.submit(
      Array.from({ length: TOGETHER }, () => createFunding(investorId)),
      'bulk',
    )
  }
  const readRowCounts = async () => {
    await ledger.runSql('select pg_stat_clear_snapshot()')
    const [row] = await ledger.runSql<{ fetched: number; rows: number }>(
      `select idx_tup_fetch::int as fetched, n_live_tup::int as rows
       from pg_stat_user_tables where relid = 'ledger.transaction'::regclass`,
    )
    return row
  }
  // PostgreSQL reports the statistics of an idle connection only after ten seconds.
  await expect.poll(readRowCounts).toMatchObject({ rows: GIFTS + 1 })
  expect((await readRowCounts())?.fetched).toBeLessThan(ROWS_FETCHED_MAX)
})

function createFunding(investorId: string): Command {
  return {
    type: 'FundWallet',
    data: {
      transactionId: createId(Date.now()),
      investorId,
      amountMinor: 1n,
      wallet: 'balance',
      category: null,
      reason: null,
    },
    actor: 'system:test',
    key: createId(Date.now()),
    requestId: null,
    effectiveAt: null,
  }
}
