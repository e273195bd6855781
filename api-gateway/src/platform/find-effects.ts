import { type EventType, type Fact, parseFact } from '@cairn/ledger-contracts'
import { type Effects, EVENT_EFFECTS } from './event-effects.ts'

/** The types of event that have the effect `Effect`. */
export type EventWith<Effect extends keyof Effects> = {
  [Type in EventType]: (typeof EVENT_EFFECTS)[Type][Effect] extends null ? never : Type
}[EventType]
export type FactWith<Effect extends keyof Effects> = Extract<Fact, { type: EventWith<Effect> }>

/**
 * Returns the effects of a type of event; null for a type that only a newer ledger service knows.
 */
export function findEffects(type: string): Effects | null {
  const effects: Readonly<Record<string, Effects>> = EVENT_EFFECTS
  return Object.hasOwn(effects, type) ? (effects[type] ?? null) : null
}

/**
 * Parses the event; null if it does not have this effect. Throws a ZodError if its data is invalid.
 */
export function parseFactWith<Effect extends keyof Effects>(
  effect: Effect,
  { type, data }: { type: string; data: unknown },
): FactWith<Effect> | null {
  if ((findEffects(type)?.[effect] ?? null) === null) return null
  // The cast is safe because the table has this effect for the type.
  return parseFact(type, data) as FactWith<Effect>
}
