/** The operator's own balances that cover promised profit, in minor units. */
export interface CoveringBalances {
  reserveMinor: bigint
  marketingMinor: bigint
  adjustmentsMinor: bigint
  /** Zero unless a file of opening balances was imported only in part. */
  openingMinor: bigint
}

/**
 * Returns the reserve less the costs that are not paid in yet. Below zero, it is promised profit that
 * the operator's own money does not cover. A positive balance of an account of costs covers nothing.
 */
export function computeFreeReserve({ reserveMinor, ...costs }: CoveringBalances): bigint {
  return Object.values(costs).reduce((rest, cost) => (cost < 0n ? rest + cost : rest), reserveMinor)
}

/** Returns the covered share of the promised profit in per cent, rounded down to two decimals. */
export function computePercentage({
  committedMinor,
  coveredMinor,
}: {
  committedMinor: bigint
  coveredMinor: bigint
}): number {
  if (committedMinor <= 0n) return 100
  const covered = coveredMinor > 0n ? coveredMinor : 0n
  return Number((covered * 10_000n) / committedMinor) / 100
}
