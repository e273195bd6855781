import type { AuditAction } from '@cairn/gateway-contracts'
import { createId, toJson } from '@cairn/ledger-contracts'
import type { Database } from '../database/database.ts'

/**
 * The result of a row that records an attempt. Every other result is `success` or the code of a
 * failure.
 */
export const ATTEMPTED = 'attempted'
export const SUCCESS = 'success'

export interface AuditEntry {
  actorId: string | null
  action: AuditAction
  subject: string | null
  ip: string
  requestId: string
  /**
   * The result. The default is `success`: a row that is written in the transaction of the audited
   * action exists only if the action has succeeded.
   */
  result?: string
  /** The id of the row that recorded the attempt. */
  attemptId?: string | null
  details: Record<string, unknown>
}

/** Writes a row of the audit log. Returns its id. */
export async function recordAudit(db: Database, entry: AuditEntry, nowMs: number): Promise<string> {
  const id = createId(nowMs)
  await db
    .insertInto('platform.audit')
    .values({
      id,
      recorded_at: new Date(nowMs),
      actor_id: entry.actorId,
      action: entry.action,
      subject: entry.subject,
      ip: entry.ip,
      request_id: entry.requestId,
      result: entry.result ?? SUCCESS,
      attempt_id: entry.attemptId ?? null,
      details: toJson(entry.details),
    })
    .execute()
  return id
}
