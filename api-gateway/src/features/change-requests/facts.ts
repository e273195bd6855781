import type { Database } from '../../platform/database/database.ts'
import { type ApproverSource, addReferrers, approverOf, findApprovers } from './approvers.ts'
import type { ChangeDefinition, ChangeRegistry } from './definition.ts'
import type { Approver, ChangeFacts } from './state.ts'
import type { ChangeRow } from './store.ts'

/** A stored request with its definition and its parsed content. */
export interface KnownChange {
  row: ChangeRow
  definition: ChangeDefinition
  payload: unknown
}

export function toKnown(registry: ChangeRegistry, row: ChangeRow): KnownChange {
  const definition = registry[row.kind]
  return { row, definition, payload: definition.payload.parse(JSON.parse(row.payload)) }
}

export async function readFacts(
  db: Database,
  { row, definition, payload }: KnownChange,
): Promise<ChangeFacts> {
  return {
    state: row.state,
    createdBy: row.created_by,
    expiresAtMs: row.expires_at.getTime(),
    payloadSha256: row.payload_sha256,
    beneficiaries: await addReferrers(db, await definition.beneficiariesOf(payload)),
  }
}

export async function readPair(
  source: ApproverSource,
  { by, maker }: { by: string; maker: string },
): Promise<{ by: Approver; maker: Approver }> {
  const known = await findApprovers(source, [by, maker])
  return { by: approverOf(known, by), maker: approverOf(known, maker) }
}
