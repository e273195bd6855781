import type { LedgerInvestment } from '@cairn/ledger-contracts'

const UNIT_MS = { hours: 3_600_000, days: 86_400_000 } as const

type Unit = LedgerInvestment['unit']

/** A unit is exactly an hour or exactly 24 hours: calendars and daylight saving change nothing. */
export function unitsElapsed(term: {
  startedAtMs: number
  unit: Unit
  duration: number
  nowMs: number
}): number {
  const elapsed = Math.floor((term.nowMs - term.startedAtMs) / UNIT_MS[term.unit])
  return Math.max(0, Math.min(term.duration, elapsed))
}

export function unitEndsAt(term: { startedAtMs: number; unit: Unit; units: number }): number {
  return term.startedAtMs + term.units * UNIT_MS[term.unit]
}

/**
 * What is credited after `units` of `duration`: the promised profit in equal parts, cut to the cent,
 * and all of it at the end. Each run posts the difference, so nothing is lost to rounding.
 */
export function creditedThrough(term: {
  promisedMinor: bigint
  units: number
  duration: number
}): bigint {
  if (term.units >= term.duration) return term.promisedMinor
  return (term.promisedMinor * BigInt(term.units)) / BigInt(term.duration)
}
