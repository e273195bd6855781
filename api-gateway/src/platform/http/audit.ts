import { newId, toJson } from '@cairn/ledger-contracts'
import type { Database } from '../database/database.ts'

/** The result of an attempt row. Every other result is `success` or the code of a failure. */
export const ATTEMPTED = 'attempted'
export const SUCCESS = 'success'

export interface AuditEntry {
  actorId: string | null
  action: string
  subject: string | null
  ip: string
  requestId: string
  /** Omitted: the row is written in the transaction of the act, so the act succeeded. */
  result?: string
  /** The attempt row that this result completes. */
  attemptId?: string | null
  details: Record<string, unknown>
}

/** Returns the id of the row. */
export async function recordAudit(db: Database, entry: AuditEntry, nowMs: number): Promise<string> {
  const id = newId(nowMs)
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
