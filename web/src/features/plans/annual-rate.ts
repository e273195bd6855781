import { toPpm } from '../../shared/money/percent.ts'

const HOURS = { hours: 1n, days: 24n } as const
const HOURS_OF_A_YEAR = 8_760n
const PPM_OF_A_PERCENT = 10_000n
const PPM_OF_THE_WHOLE = 1_000_000n

/**
 * Returns the gain of the term scaled to a year without compounding, in whole percent rounded up. The
 * gain is the profit less the principal that is not returned: below zero if investors lose money.
 * Returns null if the terms are incomplete.
 */
export function computeAnnualPercent(terms: {
  percentage: string
  planDuration: string
  timingParameter: 'hours' | 'days'
  returnPrincipal: boolean
}): bigint | null {
  const { percentage, planDuration, timingParameter, returnPrincipal } = terms
  if (!/^\d{1,4}(\.\d{1,4})?$/.test(percentage.trim())) return null
  if (!/^[1-9]\d{0,5}$/.test(planDuration.trim())) return null
  const hours = BigInt(planDuration.trim()) * HOURS[timingParameter]
  const gainPpm = toPpm(percentage.trim()) - (returnPrincipal ? 0n : PPM_OF_THE_WHOLE)
  const divisor = hours * PPM_OF_A_PERCENT
  const scaled = gainPpm * HOURS_OF_A_YEAR
  // The division rounds towards zero, which is up for a loss.
  return (scaled > 0n ? scaled + divisor - 1n : scaled) / divisor
}

/** True if investors get back less than they pay. The percentage must be valid. */
export function isLossMaking(terms: { percentage: string; returnPrincipal: boolean }): boolean {
  return !terms.returnPrincipal && toPpm(terms.percentage.trim()) < PPM_OF_THE_WHOLE
}
