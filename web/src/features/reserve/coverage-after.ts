import type { Reserve } from '@cairn/gateway-contracts'
import { formatMoney, type Minor, toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'

type Balances = Pick<
  Reserve,
  'reserve' | 'committed' | 'coverage' | 'marketing' | 'adjustments' | 'opening'
>

/**
 * Returns the amount that can leave the reserve while all promised profit stays covered. As in the
 * coverage that the API computes, costs that are not covered lower it.
 */
export function computeFreeMinor(balances: Balances): Minor {
  const restMinor = computeRest(balances)
  return restMinor > 0n ? restMinor : 0n
}

/** Says how the coverage changes when the amount leaves the reserve. */
export function describeCoverageAfter(balances: Balances, amountMinor: Minor): string {
  const committedMinor = toMinor(balances.committed)
  const restMinor = computeRest(balances) - amountMinor
  if (committedMinor <= 0n || restMinor >= 0n) return 'All promised profit stays covered.'
  const coveredMinor = committedMinor + restMinor
  const after = coveredMinor > 0n ? Number((coveredMinor * 10_000n) / committedMinor) / 100 : 0
  return `The coverage of promised profit, which the public pages disclose, falls from ${formatPercent(balances.coverage)} to ${formatPercent(after)}. Up to ${formatMoney(computeFreeMinor(balances))} can be taken out while all promised profit stays covered.`
}

/** Returns the reserve less the costs that are not covered; below zero if the reserve is too small. */
function computeRest({ reserve, marketing, adjustments, opening = 0 }: Balances): Minor {
  return [marketing, adjustments, opening]
    .map(toMinor)
    .filter((minor) => minor < 0n)
    .reduce((rest, cost) => rest + cost, toMinor(reserve))
}
