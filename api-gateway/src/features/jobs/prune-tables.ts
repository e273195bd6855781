import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import { pruneKeyedRequests } from '../../platform/http/keyed-request.ts'
import { pruneRateLimits } from '../../platform/http/shared-rate-limit.ts'
import { pruneOutbox } from '../../platform/mail/outbox.ts'
import { pruneLoginAttempts } from '../passwords/index.ts'
import { pruneAcceptances } from '../risk/index.ts'

/** Maximum number of rows that one statement deletes. */
const ROWS_PER_BATCH = 1_000
/** A smaller maximum for acceptances, because each acceptance needs a query of the ledger. */
const ACCEPTANCES_PER_BATCH = 100
/** Maximum number of batches in one run. The next run deletes the remaining rows. */
const BATCHES_PER_RUN = 20

/**
 * Deletes rows that are no longer needed, from tables that callers could otherwise fill without
 * limit.
 */
export async function pruneTables(
  deps: { db: Database; ledger: Pick<LedgerClient, 'ask'> },
  nowMs: number,
): Promise<void> {
  const { db } = deps
  await repeatBatches(ROWS_PER_BATCH, (limit) => pruneLoginAttempts(db, { nowMs, limit }))
  await repeatBatches(ROWS_PER_BATCH, (limit) => pruneKeyedRequests(db, { nowMs, limit }))
  await repeatBatches(ROWS_PER_BATCH, (limit) => pruneRateLimits(db, { nowMs, limit }))
  await repeatBatches(ROWS_PER_BATCH, (limit) => pruneOutbox(db, { nowMs, limit }))
  await repeatBatches(ACCEPTANCES_PER_BATCH, (limit) => pruneAcceptances(deps, { nowMs, limit }))
}

async function repeatBatches(
  limit: number,
  prune: (limit: number) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    if ((await prune(limit)) < limit) return
  }
}
