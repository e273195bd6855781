import { DualControlMode } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

/** The administrators who may approve. The key is the actor, `admin:<id>`. */
export const approverTable = createStateTable('approver', 'approver', {
  approver: 'text',
  isActive: 'bool',
  addedAt: 'timestamptz',
  lastSeq: 'int8',
})
export type Approver = RowOf<typeof approverTable>

export const dualControlTable = createStateTable('dual_control', '', {
  mode: DualControlMode.options,
  activeCount: 'int4',
  lastSeq: 'int8',
})
export type DualControl = RowOf<typeof dualControlTable>

/** The mode of an installation that has at most one approver. */
export const DEFAULT_DUAL_CONTROL: DualControl = { mode: 'single', activeCount: 0, lastSeq: 0n }

/** The minimum number of active approvers for dual control. */
const ACTIVE_APPROVERS_MIN = 2

// All rows of both tables are in memory, so a row that is not found does not exist.

export function findDualControl(view: View): DualControl {
  return view.peek(dualControlTable, '') ?? DEFAULT_DUAL_CONTROL
}

export function isDualControlRequired(view: View): boolean {
  return findDualControl(view).mode === 'required'
}

/** True if an approver was ever added, even if all were removed later. */
export function wasApproverEverAdded(view: View): boolean {
  return (view.peek(dualControlTable, '') ?? null) !== null
}

export function findActiveApprover(view: View, approver: string): Approver | null {
  const found = view.peek(approverTable, approver) ?? null
  return found?.isActive ? found : null
}

export const addApprover: Decider<'AddApprover'> = {
  needs: () => [],
  decide: ({ approverId }, view, context) => {
    if (findActiveApprover(view, toActor(approverId)) !== null) return refuse('approverExists')
    return record({ type: 'ApproverAdded', data: { approverId } }, context)
  },
}

/**
 * While dual control is required, at least two approvers must remain. Only the command line on the
 * server may remove one of the last two approvers, to stop a rogue administrator.
 */
export const removeApprover: Decider<'RemoveApprover'> = {
  needs: () => [],
  decide: ({ approverId, reason }, view, context) => {
    if (findActiveApprover(view, toActor(approverId)) === null) return refuse('approverMissing')
    const { mode, activeCount } = findDualControl(view)
    const isTooFew = mode === 'required' && activeCount <= ACTIVE_APPROVERS_MIN
    if (isTooFew && context.actor !== SERVER) return refuse('lastApprovers')
    return record({ type: 'ApproverRemoved', data: { approverId, reason } }, context)
  },
}

export const setDualControl: Decider<'SetDualControl'> = {
  needs: () => [],
  decide: ({ mode }, view, context) => {
    const { mode: current, activeCount } = findDualControl(view)
    if (mode === current) return refuse('modeUnchanged', { mode })
    if (mode === 'required' && activeCount < ACTIVE_APPROVERS_MIN) return refuse('lastApprovers')
    return record({ type: 'DualControlSet', data: { mode } }, context)
  },
}

/** Adding the second approver also makes dual control required. */
export const applyApproverAdded: Evolve<'ApproverAdded'> = ({ approverId }, view, event) => {
  const approver = toActor(approverId)
  const { seq: lastSeq, recordedAtMs: addedAt } = event
  view.put(approverTable, { approver, isActive: true, addedAt, lastSeq })
  const { mode, activeCount } = findDualControl(view)
  const isSecond = activeCount + 1 === ACTIVE_APPROVERS_MIN
  view.put(dualControlTable, {
    mode: isSecond ? 'required' : mode,
    activeCount: activeCount + 1,
    lastSeq,
  })
}

export const applyApproverRemoved: Evolve<'ApproverRemoved'> = ({ approverId }, view, event) => {
  const found = findActiveApprover(view, toActor(approverId))
  if (found === null) throw new Error(`admin:${approverId} is not an approver`)
  view.put(approverTable, { ...found, isActive: false, lastSeq: event.seq })
  const { mode, activeCount } = findDualControl(view)
  view.put(dualControlTable, { mode, activeCount: activeCount - 1, lastSeq: event.seq })
}

export const applyDualControlSet: Evolve<'DualControlSet'> = ({ mode }, view, { seq }) => {
  const { activeCount } = findDualControl(view)
  view.put(dualControlTable, { mode, activeCount, lastSeq: seq })
}

/**
 * The actor of the command line on the server. This actor may change controls alone, to restore
 * access.
 */
export const SERVER = 'system:server'

function toActor(approverId: string): string {
  return `admin:${approverId}`
}
