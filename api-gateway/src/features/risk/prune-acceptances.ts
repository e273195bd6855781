import type { LedgerClient } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { KEYED_REQUEST_DAYS } from '../../platform/http/keyed-request.ts'

/**
 * A row is kept for one day longer than an idempotency key is valid. Until the key expires, a
 * repeated request uses the investment id of the first request and needs the row.
 */
const UNUSED_DAYS = KEYED_REQUEST_DAYS + 1
const DAY_MS = 86_400_000

/**
 * Reads at most `limit` unchecked acceptances. Deletes the acceptances whose investment was not
 * recorded, and marks all other acceptances as used. Returns the number of rows read.
 */
export async function pruneAcceptances(
  { db, ledger }: { db: Database; ledger: Pick<LedgerClient, 'ask'> },
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('platform.risk_acceptance as acceptance')
    .select('acceptance.investment_id')
    .where('acceptance.used_at', 'is', null)
    .where('acceptance.accepted_at', '<', new Date(nowMs - UNUSED_DAYS * DAY_MS))
    .where(
      sql<boolean>`not exists (
        select from platform.keyed_request as request
        where request.user_id = acceptance.user_id
          and request.subject_id = acceptance.investment_id)`,
    )
    .orderBy('acceptance.accepted_at')
    .limit(limit)
    .execute()
  for (const { investment_id: investmentId } of rows) {
    const { investment } = await ledger.ask('investment', { investmentId })
    if (investment === null) {
      await db
        .deleteFrom('platform.risk_acceptance')
        .where('investment_id', '=', investmentId)
        .execute()
    } else {
      await db
        .updateTable('platform.risk_acceptance')
        .set({ used_at: new Date(nowMs) })
        .where('investment_id', '=', investmentId)
        .execute()
    }
  }
  return rows.length
}
