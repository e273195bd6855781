import type { LedgerInvestment } from './projections.ts'

const UNIT_MS = { hours: 3_600_000, days: 86_400_000 } as const

type Unit = LedgerInvestment['unit']

/**
 * Returns the number of ended units, from 0 to `duration`. A unit is exactly one hour or 24 hours.
 */
export function countElapsedUnits(term: {
  startedAtMs: number
  unit: Unit
  duration: number
  nowMs: number
}): number {
  const elapsed = Math.floor((term.nowMs - term.startedAtMs) / UNIT_MS[term.unit])
  return Math.max(0, Math.min(term.duration, elapsed))
}

export function computeUnitEnd(term: { startedAtMs: number; unit: Unit; units: number }): number {
  return term.startedAtMs + term.units * UNIT_MS[term.unit]
}

/**
 * Returns the profit credited after `units` units: the proportional part of the promised profit,
 * rounded down. An accrual posts this amount less the profit that is already credited. Rounding
 * errors therefore do not accumulate.
 */
export function computeCreditedThrough(term: {
  promisedMinor: bigint
  units: number
  duration: number
}): bigint {
  if (term.units >= term.duration) return term.promisedMinor
  return (term.promisedMinor * BigInt(term.units)) / BigInt(term.duration)
}
