import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createPool } from '../service/database/pool.ts'
import { verifyLog } from './verify.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
  for (let count = 0; count < 20; count += 1)
    await createFundedInvestor(ledger, { amountMinor: 100n })
})
afterAll(() => ledger?.close())

test('a verification outlasts the time limits of the role', async () => {
  // In a verification, some connections wait until the remaining connections have read the whole
  // log.
  await ledger.runSql(
    `do $$ begin
       execute format('alter role cairn_ledger in database %I set idle_in_transaction_session_timeout = 1', current_database());
       execute format('alter role cairn_ledger in database %I set statement_timeout = 50', current_database());
     end $$`,
  )
  const url = ledger.pool.options.connectionString ?? ''
  const pool = createPool({ url, max: 2, name: 'test-verify' })
  try {
    const { rows } = await pool.query('show idle_in_transaction_session_timeout')
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1ms' }])
    const { problems, events } = await verifyLog(pool, { ledger: 1 })
    expect(problems).toEqual([])
    expect(events).toBeGreaterThan(20n)
  } finally {
    await pool.end()
  }
})
