import { refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

/** The last seal of the gateway's audit log. */
export const auditSealTable = createStateTable('audit_seal', '', {
  count: 'int8',
  head: 'text',
  lastSeq: 'int8',
})
export type AuditSeal = RowOf<typeof auditSealTable>

/** All rows of this table are in memory, so a row that is not found does not exist. */
function findAuditSeal(view: View): AuditSeal | null {
  return view.peek(auditSealTable, '') ?? null
}

/**
 * Refuses a count that is not above the count of the last seal, so that the hash of a sealed row
 * cannot be replaced.
 */
export const sealAudit: Decider<'SealAudit'> = {
  needs: () => [],
  decide: ({ count, head }, view, context) => {
    const last = findAuditSeal(view)
    if (last !== null && BigInt(count) <= last.count) {
      return refuse('auditSealConflict', { count: String(last.count) })
    }
    return record({ type: 'AuditSealed', data: { count, head } }, context)
  },
}

export const applyAuditSealed: Evolve<'AuditSealed'> = ({ count, head }, view, { seq }) => {
  view.put(auditSealTable, { count: BigInt(count), head, lastSeq: seq })
}
