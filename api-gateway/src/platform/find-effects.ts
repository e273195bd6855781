import { type EventType, type Fact, parseFact } from '@cairn/ledger-contracts'
import { type Effects, EVENT_EFFECTS } from './event-effects.ts'

/** The types of event that have this effect. */
export type EventWith<Effect extends keyof Effects> = {
  [Type in EventType]: (typeof EVENT_EFFECTS)[Type][Effect] extends null ? never : Type
}[EventType]
export type FactWith<Effect extends keyof Effects> = Extract<Fact, { type: EventWith<Effect> }>

/** Returns null for a type that only a newer ledger service knows. */
export function findEffects(type: string): Effects | null {
  const effects: Readonly<Record<string, Effects>> = EVENT_EFFECTS
  return Object.hasOwn(effects, type) ? (effects[type] ?? null) : null
}

/** Returns null if the event does not have this effect. Throws a ZodError if its data is invalid. */
export function parseFactWith<Effect extends keyof Effects>(
  effect: Effect,
  { type, data }: { type: string; data: unknown },
): FactWith<Effect> | null {
  if ((findEffects(type)?.[effect] ?? null) === null) return null
  // The cast holds because the type is read from the same table.
  return parseFact(type, data) as FactWith<Effect>
}
