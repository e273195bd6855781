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
 * Returns the administrator who is responsible for an event. This is the actor, if the actor is an
 * administrator. If the actor is a process, it is the first approver or, without approvers, the
 * process.
 */
export function findMaker({ actor, control }: PlacedEvent): string {
  return listApprovers(actor, control?.approvals ?? [])[0] ?? actor
}

/** Returns the administrator who approved an event last. */
export function findDecider({ actor, control }: PlacedEvent): string {
  return listApprovers(actor, control?.approvals ?? []).at(-1) ?? actor
}
