import { newId, toJson } from '@cairn/ledger-contracts'
import type { Database } from '../database/database.ts'

export interface AuditEntry {
  actorId: string | null
  action: string
  subject: string | null
  ip: string
  requestId: string
  details: Record<string, unknown>
}

export async function recordAudit(db: Database, entry: AuditEntry, nowMs: number): Promise<void> {
  await db
    .insertInto('platform.audit')
    .values({
      id: newId(nowMs),
      recorded_at: new Date(nowMs),
      actor_id: entry.actorId,
      action: entry.action,
      subject: entry.subject,
      ip: entry.ip,
      request_id: entry.requestId,
      details: toJson(entry.details),
    })
    .execute()
}
