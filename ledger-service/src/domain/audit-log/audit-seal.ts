import { refuse } from '../../log/model.ts'
import { type RowOf, stateTable } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

/** The last seal of the gateway's audit log. */
export const auditSealTable = stateTable('audit_seal', '', {
  count: 'int8',
  head: 'text',
  lastSeq: 'int8',
})
export type AuditSeal = RowOf<typeof auditSealTable>

/** The table is pinned, so a row that is not cached does not exist. */
function findAuditSeal(view: View): AuditSeal | null {
  return view.peek(auditSealTable, '') ?? null
}

/** The count grows strictly, so a sealed row can never get another hash. */
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

export const auditSealed: Evolve<'AuditSealed'> = ({ count, head }, view, { seq }) => {
  view.put(auditSealTable, { count: BigInt(count), head, lastSeq: seq })
}
