import type { Approval } from '@cairn/ledger-contracts'
import type { PlacedEvent } from '../../log/model.ts'

/**
 * Returns the actor, if the actor is an administrator, and then the approvers, without duplicates.
 */
export function listApprovers(actor: string, approvals: readonly Approval[]): readonly string[] {
  const others = approvals.map(({ approver }) => approver)
  return [...new Set(actor.startsWith('admin:') ? [actor, ...others] : others)]
}

/**
 * Returns the administrator who is the actor of an act. If the actor is a process, returns the
 * first approver. If there is no approver, returns the process.
 */
export function findMaker({ actor, control }: PlacedEvent): string {
  return listApprovers(actor, control?.approvals ?? [])[0] ?? actor
}

/** Returns the last administrator who approved an act. */
export function findDecider({ actor, control }: PlacedEvent): string {
  return listApprovers(actor, control?.approvals ?? []).at(-1) ?? actor
}
