import type { Approval } from '@cairn/ledger-contracts'
import type { PlacedEvent } from '../../log/model.ts'

/** The administrators who answer for an act, without repeats: an administrator as author comes first. */
export function listApprovers(actor: string, approvals: readonly Approval[]): readonly string[] {
  const others = approvals.map(({ approver }) => approver)
  return [...new Set(actor.startsWith('admin:') ? [actor, ...others] : others)]
}

/** The author of an act, also if another process submitted it once it was approved. */
export function findMaker({ actor, control }: PlacedEvent): string {
  return listApprovers(actor, control?.approvals ?? [])[0] ?? actor
}

/** The last administrator who approved an act. */
export function findDecider({ actor, control }: PlacedEvent): string {
  return listApprovers(actor, control?.approvals ?? []).at(-1) ?? actor
}
