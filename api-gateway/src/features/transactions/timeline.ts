import type { TransactionStep } from '@cairn/gateway-contracts'
import type { RecordedEvent } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import { findEffects } from '../../platform/find-effects.ts'

type Step = z.infer<typeof TransactionStep>

/**
 * Converts the events of a transaction to its steps. A transaction that needed no request has one
 * step.
 */
export function toSteps(
  events: readonly RecordedEvent[],
  nameOf: (actor: string) => string,
): Step[] {
  return events.map(({ type, effectiveAt, actor, seq }) => ({
    kind: findEffects(type)?.step ?? 'recorded',
    at: effectiveAt,
    by: nameOf(actor),
    seq: String(seq),
  }))
}
