import type { AuditLine, AuditRow } from '@cairn/ledger-contracts/proof'
import type { Selectable } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type StoredRow = Selectable<Tables['platform.audit']>

/** Returns the fields of a row that the hash chain covers. */
export function toAuditRow(row: StoredRow): AuditRow {
  return {
    id: row.id,
    recordedAt: row.recorded_at.toISOString(),
    actorId: row.actor_id,
    action: row.action,
    subject: row.subject,
    ip: row.ip,
    requestId: row.request_id,
    result: row.result,
    attemptId: row.attempt_id,
    // The cast is safe because `recordAudit` writes the details as an object.
    details: row.details as Record<string, unknown>,
  }
}

export function toAuditLine(row: StoredRow): AuditLine {
  const position = row.position === null ? null : Number(row.position)
  return { ...toAuditRow(row), position, hash: row.hash?.toString('hex') ?? null }
}

/** Returns the rows after a position, in the order of the chain. */
export async function readChain(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<readonly AuditLine[]> {
  const rows = await db
    .selectFrom('platform.audit')
    .selectAll()
    .where('position', '>', String(after))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(toAuditLine)
}

/** Returns the rows that the sealer has not added to the chain yet. */
export async function readUnchainedRows(
  db: Database,
  limit: number,
): Promise<readonly AuditLine[]> {
  const rows = await db
    .selectFrom('platform.audit')
    .selectAll()
    .where('position', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toAuditLine)
}
