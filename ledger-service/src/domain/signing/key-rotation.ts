import { KEY_ROTATION_DAYS } from '@cairn/ledger-contracts'
import { formatVerifierKey, type Handover } from '@cairn/ledger-contracts/proof'
import { type Refusal, refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { isDualControlRequired } from '../controls/approver.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

const DAY_MS = 86_400_000

/** The newest permission to replace the signing key. */
export const keyRotationTable = createStateTable('key_rotation', '', {
  verifierKey: 'text',
  permittedAt: 'timestamptz',
  lastSeq: 'int8',
})
export type KeyRotation = RowOf<typeof keyRotationTable>

/**
 * Permits one replacement of the signing key that the command names. Like every weakening of a
 * control, the permission needs two approvers while dual control is required.
 */
export const permitKeyRotation: Decider<'PermitKeyRotation'> = {
  needs: () => [],
  decide: ({ verifierKey }, _view, context) =>
    record({ type: 'KeyRotationPermitted', data: { verifierKey } }, context),
}

export const applyKeyRotationPermitted: Evolve<'KeyRotationPermitted'> = (
  { verifierKey },
  view,
  { recordedAtMs: permittedAt, seq: lastSeq },
) => {
  view.put(keyRotationTable, { verifierKey, permittedAt, lastSeq })
}

/**
 * While dual control is required, refuses a replacement of the key without a valid permission. The
 * permission must name the replaced key, so one permission allows only one replacement.
 */
export function refuseRotation(
  view: View,
  { oldKey }: Handover,
  recordedAtMs: number,
): { refusal: Refusal } | null {
  if (!isDualControlRequired(view)) return null
  // All rows of this table are in memory, so a row that is not found does not exist.
  const permitted = view.peek(keyRotationTable, '') ?? null
  if (permitted !== null && permitted.verifierKey === formatVerifierKey(oldKey)) {
    if (recordedAtMs - permitted.permittedAt <= KEY_ROTATION_DAYS * DAY_MS) return null
  }
  return refuse('rotationNotPermitted', { days: String(KEY_ROTATION_DAYS) })
}
