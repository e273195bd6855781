import type { PlanTerms } from '@cairn/ledger-contracts'

const HOURS = { hours: 1n, days: 24n } as const
const HOURS_OF_A_YEAR = 8_760n
const PPM_OF_A_PERCENT = 10_000n

/**
 * Returns the profit of the term extrapolated to a year without compounding, in whole per cent,
 * rounded up.
 */
export function computeAnnualPercent({
  profitPpm,
  duration,
  unit,
}: Pick<PlanTerms, 'profitPpm' | 'duration' | 'unit'>): bigint {
  const divisor = BigInt(duration) * HOURS[unit] * PPM_OF_A_PERCENT
  return (BigInt(profitPpm) * HOURS_OF_A_YEAR + divisor - 1n) / divisor
}

/** Returns true if the plan returns less than the investor pays in. */
export function isLossMaking(terms: Pick<PlanTerms, 'profitPpm' | 'returnPrincipal'>): boolean {
  return !terms.returnPrincipal && BigInt(terms.profitPpm) < 1_000_000n
}
