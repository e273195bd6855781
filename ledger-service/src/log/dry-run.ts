import {
  type DryRunAnswer,
  formatCanonicalJson,
  type LinkedPlace,
  type UnrecordedEvent,
} from '@cairn/ledger-contracts'
import type { HashedCommand } from './entry.ts'
import { SCHEMA_VERSION } from './envelope.ts'
import { getItem, type LinkedDecision, type LinkedStep } from './linked.ts'

/**
 * Returns one answer for each command: the event that the command would give now, or its refusal.
 */
export function describeDryRun(
  members: readonly HashedCommand[],
  { decision, recordedAtMs }: { decision: LinkedDecision; recordedAtMs: number },
): readonly DryRunAnswer[] {
  const { length } = members
  return members.map((member, index): DryRunAnswer => {
    if ('refusals' in decision) {
      const { code, message, details } = getItem(decision.refusals, index)
      return { outcome: 'refused', code, message, details: { ...details } }
    }
    const linked = length === 1 ? null : { index, length }
    const step = getItem(decision.steps, index)
    return { outcome: 'accepted', event: describeEvent(member, step, { linked, recordedAtMs }) }
  })
}

function describeEvent(
  { command }: HashedCommand,
  { decided }: LinkedStep,
  { linked, recordedAtMs }: { linked: LinkedPlace | null; recordedAtMs: number },
): UnrecordedEvent {
  const { fact, postings, effectiveAtMs, control = null } = decided
  return {
    type: fact.type,
    schemaVersion: SCHEMA_VERSION,
    actor: command.actor,
    recordedAt: new Date(recordedAtMs).toISOString(),
    effectiveAt: new Date(effectiveAtMs).toISOString(),
    control,
    linked,
    externalId: command.externalId ?? null,
    metadata: command.metadata ?? null,
    // As in a recorded event, integers are strings of digits.
    data: JSON.parse(formatCanonicalJson(fact.data)),
    postings: [...postings],
  }
}
