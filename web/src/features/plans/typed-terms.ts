import type { RateTerms } from '@cairn/gateway-contracts/annual-rate'
import { toPpm } from '../../shared/money/percent.ts'

/**
 * Converts the terms that are typed in the plan editor. Returns null while they are incomplete or
 * not valid.
 */
export function toRateTerms(typed: {
  percentage: string
  planDuration: string
  timingParameter: 'hours' | 'days'
  returnPrincipal: boolean
}): RateTerms | null {
  const percentage = typed.percentage.trim()
  const duration = typed.planDuration.trim()
  if (!/^\d{1,4}(\.\d{1,4})?$/.test(percentage)) return null
  if (!/^[1-9]\d{0,5}$/.test(duration)) return null
  return {
    profitPpm: toPpm(percentage),
    duration: BigInt(duration),
    unit: typed.timingParameter,
    returnPrincipal: typed.returnPrincipal,
  }
}
