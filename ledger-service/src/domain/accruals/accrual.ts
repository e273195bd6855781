import type { LedgerInvestment } from '@cairn/ledger-contracts'

const UNIT_MS = { hours: 3_600_000, days: 86_400_000 } as const

type Unit = LedgerInvestment['unit']

/** Returns the ended units, from 0 to `duration`. A unit is exactly one hour or exactly 24 hours. */
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
 * Returns the profit credited after `units` of `duration`, in minor units: the proportional part of
 * the promise, rounded down, and the full promise at the end. Each accrual posts the difference to
 * the credited amount, so no rounding error accumulates.
 */
export function computeCreditedThrough(term: {
  promisedMinor: bigint
  units: number
  duration: number
}): bigint {
  if (term.units >= term.duration) return term.promisedMinor
  return (term.promisedMinor * BigInt(term.units)) / BigInt(term.duration)
}
