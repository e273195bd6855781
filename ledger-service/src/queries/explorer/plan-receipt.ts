import type { QueryResponse } from '@cairn/ledger-contracts'
import type { Checkpoints } from '../../proofs/checkpoints.ts'
import type { Database } from '../schema.ts'

/** Returns the receipt of the newest event that defined a plan on offer. */
export async function findPlanReceipt({
  db,
  ledger,
  checkpoints,
}: {
  db: Database
  ledger: number
  checkpoints: Checkpoints
}): Promise<QueryResponse<'planReceipt'>> {
  const newest = await db
    .selectFrom('plan')
    .select('lastSeq')
    .where('ledgerId', '=', ledger)
    .where('isArchived', '=', false)
    .orderBy('lastSeq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { receipt: newest === undefined ? null : await checkpoints.readReceipt(newest.lastSeq) }
}
