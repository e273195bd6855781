import { z } from 'zod'
import type { EventType } from './events.ts'
import { Minor } from './money.ts'

/** The result of a call that copies plans, rules and approvers from one ledger to another. */
export const RuleCopy = z.object({
  /** The number of events of the source that were read, from its first event on. */
  through: Minor,
  /** The number of events that the source has. The copy is complete if it equals `through`. */
  size: Minor,
  /** The reason why the copy cannot continue; null if it can. */
  problem: z.string().nullable(),
})
export type RuleCopy = z.infer<typeof RuleCopy>

/** Events that each ledger has for itself, also before anything is copied to it. */
export const OWN_EVENT_TYPES = [
  'KeyRotationPermitted',
  'SigningKeyReplaced',
  'LogForked',
  'MonthClosed',
] as const satisfies readonly EventType[]
