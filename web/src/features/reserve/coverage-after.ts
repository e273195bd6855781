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

/**
 * Says how the coverage changes when the amount leaves the reserve. With `isOneOfSeveral`, the
 * balances are those of one ledger of a site, whose public pages disclose the sums of all ledgers.
 */
export function describeCoverageAfter(
  balances: Balances,
  amountMinor: Minor,
  { isOneOfSeveral = false } = {},
): string {
  const committedMinor = toMinor(balances.committed)
  const beforeMinor = computeRest(balances)
  const afterMinor = beforeMinor - amountMinor
  if (committedMinor <= 0n || afterMinor >= 0n) return 'All promised profit stays covered.'
  const coveredMinor = committedMinor + afterMinor
  const share = coveredMinor > 0n ? Number((coveredMinor * 10_000n) / committedMinor) / 100 : 0
  const [now, after] = [balances.coverage, share].map(formatPercent)
  if (beforeMinor < 0n) {
    return `Only ${now} of the promised profit is covered now, and ${after} after this withdrawal.`
  }
  const where = isOneOfSeveral ? ' in this ledger' : ', which the public pages disclose,'
  return `The coverage of promised profit${where} falls from ${now} to ${after}. Up to ${formatMoney(computeFreeMinor(balances))} can be taken out while all promised profit stays covered.`
}

/** Returns the reserve less the costs that are not covered; below zero if the reserve is too small. */
function computeRest({ reserve, marketing, adjustments, opening = 0 }: Balances): Minor {
  return [marketing, adjustments, opening]
    .map(toMinor)
    .filter((minor) => minor < 0n)
    .reduce((rest, cost) => rest + cost, toMinor(reserve))
}
