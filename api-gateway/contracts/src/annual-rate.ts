const HOURS = { hours: 1n, days: 24n } as const
const HOURS_OF_A_YEAR = 8_760n
const PPM_OF_A_PERCENT = 10_000n
const PPM_OF_THE_WHOLE = 1_000_000n

/** The terms of a plan that determine what investors gain or lose. */
export interface RateTerms {
  /** The profit of the whole term, in millionths of the principal. */
  profitPpm: number | bigint
  duration: number | bigint
  unit: keyof typeof HOURS
  returnPrincipal: boolean
}

/**
 * Returns the gain of the term scaled to a year without compounding, in whole per cent, rounded up.
 * The gain is the profit less the principal that is not returned: below zero if investors lose money.
 */
export function computeAnnualPercent(terms: RateTerms): bigint {
  const { profitPpm, duration, unit, returnPrincipal } = terms
  const gainPpm = BigInt(profitPpm) - (returnPrincipal ? 0n : PPM_OF_THE_WHOLE)
  const divisor = BigInt(duration) * HOURS[unit] * PPM_OF_A_PERCENT
  const scaled = gainPpm * HOURS_OF_A_YEAR
  // The division rounds towards zero, which is up for a loss.
  return (scaled > 0n ? scaled + divisor - 1n : scaled) / divisor
}

/** Tells whether investors get back less than they pay. */
export function isLossMaking(terms: Pick<RateTerms, 'profitPpm' | 'returnPrincipal'>): boolean {
  return !terms.returnPrincipal && BigInt(terms.profitPpm) < PPM_OF_THE_WHOLE
}
