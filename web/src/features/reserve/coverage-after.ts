import type { Reserve } from '@cairn/gateway-contracts'
import { computeFreeReserve, computePercentage } from '@cairn/gateway-contracts/coverage-rule'
import { formatMoney, type Minor, toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'

type Balances = Pick<
  Reserve,
  'reserve' | 'committed' | 'coverage' | 'marketing' | 'adjustments' | 'opening'
>

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
  const freeMinor = computeFree(balances)
  const afterMinor = freeMinor - amountMinor
  if (committedMinor <= 0n || afterMinor >= 0n) return 'All promised profit stays covered.'
  const share = computePercentage({ committedMinor, coveredMinor: committedMinor + afterMinor })
  const [now, after] = [balances.coverage, share].map(formatPercent)
  if (freeMinor < 0n) {
    return `Only ${now} of the promised profit is covered now, and ${after} after this withdrawal.`
  }
  const where = isOneOfSeveral ? ' in this ledger' : ', which the public pages disclose,'
  return `The coverage of promised profit${where} falls from ${now} to ${after}. Up to ${formatMoney(freeMinor)} can be taken out while all promised profit stays covered.`
}

function computeFree({ reserve, marketing, adjustments, opening = 0 }: Balances): Minor {
  return computeFreeReserve({
    reserveMinor: toMinor(reserve),
    marketingMinor: toMinor(marketing),
    adjustmentsMinor: toMinor(adjustments),
    openingMinor: toMinor(opening),
  })
}
