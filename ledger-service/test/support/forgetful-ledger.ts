import type { TestDatabase } from '@cairn/local/test-database'
import { createFundedInvestor, startTestLedger, type TestLedger } from './test-ledger.ts'
import { FORGETFUL } from './wrapped-store.ts'

/**
 * Starts a ledger that does not notice lost events, so that a test can count them. Any other ledger
 * records nothing after the first loss: it remembers the newest event that it has answered, and its
 * checkpoint file shows how many events were signed. This ledger forgets the event, and its clock
 * stands still after the first checkpoint, so that no further checkpoint becomes due.
 */
export async function startForgetfulLedger(database: TestDatabase): Promise<TestLedger> {
  const startMs = Date.now()
  const ledger = await startTestLedger({ database, answered: FORGETFUL, now: () => startMs })
  await createFundedInvestor(ledger, { amountMinor: 0n })
  await ledger.ask('receipt', { seq: 0n })
  return ledger
}
