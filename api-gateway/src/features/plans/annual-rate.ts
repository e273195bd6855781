import type { PlanTerms } from '@cairn/ledger-contracts'

const HOURS = { hours: 1n, days: 24n } as const
const HOURS_OF_A_YEAR = 8_760n
const PPM_OF_A_PERCENT = 10_000n
const PPM_OF_THE_WHOLE = 1_000_000n

/**
 * Returns the gain of the term extrapolated to a year without compounding, in whole per cent,
 * rounded up. The gain is the profit less the principal that is not returned: below zero if the
 * plan makes a loss.
 */
export function computeAnnualPercent({
  profitPpm,
  duration,
  unit,
  returnPrincipal,
}: Pick<PlanTerms, 'profitPpm' | 'duration' | 'unit' | 'returnPrincipal'>): bigint {
  const gainPpm = BigInt(profitPpm) - (returnPrincipal ? 0n : PPM_OF_THE_WHOLE)
  const divisor = BigInt(duration) * HOURS[unit] * PPM_OF_A_PERCENT
  const scaled = gainPpm * HOURS_OF_A_YEAR
  // The division rounds towards zero, which is up for a loss.
  return (scaled > 0n ? scaled + divisor - 1n : scaled) / divisor
}

/** Returns true if the plan returns less than the investor pays in. */
export function isLossMaking(terms: Pick<PlanTerms, 'profitPpm' | 'returnPrincipal'>): boolean {
  return !terms.returnPrincipal && BigInt(terms.profitPpm) < PPM_OF_THE_WHOLE
}
