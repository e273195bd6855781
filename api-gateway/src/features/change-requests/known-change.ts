import type { Database } from '../../platform/database/database.ts'
import { type ApproverSource, addReferrers, findCandidates, toApprover } from './approvers.ts'
import type { Approver, ChangeFacts } from './change-act.ts'
import type { ChangeDefinition, ChangeRegistry } from './definition.ts'
import type { ChangeRow } from './store.ts'

/** A stored request with the definition of its kind and its parsed payload. */
export interface KnownChange {
  row: ChangeRow
  definition: ChangeDefinition
  payload: unknown
}

export function toKnownChange(registry: ChangeRegistry, row: ChangeRow): KnownChange {
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
    beneficiaries: await addReferrers(db, await definition.listBeneficiaries(payload)),
  }
}

/** Returns the source that has the approvers of the change. */
export function toApproverSource(
  { db, ledger }: ApproverSource,
  { definition, payload }: Pick<KnownChange, 'definition' | 'payload'>,
): ApproverSource {
  return { db, ledger: definition.findFurther?.(payload) ?? ledger }
}

/**
 * Returns the deciding person and the maker, each with the permission that the kind of change
 * requires.
 */
export async function readDeciderAndMaker(
  source: ApproverSource,
  known: KnownChange,
  { by, nowMs }: { by: string; nowMs: number },
): Promise<{ by: Approver; maker: Approver }> {
  const { row, definition } = known
  const { approve, propose } = definition.permission
  const ids = [by, row.created_by]
  const candidates = await findCandidates(toApproverSource(source, known), { ids, nowMs })
  return {
    by: toApprover(candidates, { id: by, permission: approve }),
    maker: toApprover(candidates, { id: row.created_by, permission: propose }),
  }
}
