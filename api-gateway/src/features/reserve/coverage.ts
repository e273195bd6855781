/** The kinds of account whose money investors own. */
const CLAIMABLE = [
  'balance',
  'profit',
  'referral',
  'held:balance',
  'held:profit',
  'held:referral',
  'principal',
] as const

export interface BookCoverage {
  reserveMinor: bigint
  committedMinor: bigint
  /** Promised profit that the operator's own money does not cover. */
  shortfallMinor: bigint
  liabilitiesMinor: bigint
  feesMinor: bigint
  incomeMinor: bigint
  marketingMinor: bigint
  adjustmentsMinor: bigint
  /**
   * The balance of the account `opening`. It is zero unless a file of opening balances was imported
   * only in part.
   */
  openingMinor: bigint
  /**
   * The balance of the bank accounts. It equals the sum of the amounts above except the shortfall.
   */
  cashMinor: bigint
  /**
   * The share of `committed` that is covered, in per cent, with two decimals; 100 if `committed` is
   * zero.
   */
  percentage: number
}

/**
 * Computes the coverage. A negative balance of reserve, marketing, adjustments or opening balances is
 * money that the operator still has to pay in.
 */
export function computeCoverage(byKind: ReadonlyMap<string, bigint>): BookCoverage {
  const getBalance = (kind: string) => byKind.get(kind) ?? 0n
  const getNegativePart = (minor: bigint) => (minor < 0n ? minor : 0n)
  const committedMinor = getBalance('committed')
  const reserveMinor = getBalance('reserve')
  const lacking = getNegativePart(
    reserveMinor +
      getNegativePart(getBalance('marketing')) +
      getNegativePart(getBalance('adjustments')) +
      getNegativePart(getBalance('opening')),
  )
  return {
    reserveMinor,
    committedMinor,
    shortfallMinor: -lacking,
    liabilitiesMinor: CLAIMABLE.reduce((sum, kind) => sum + getBalance(kind), 0n),
    feesMinor: getBalance('fees'),
    incomeMinor: getBalance('income'),
    marketingMinor: getBalance('marketing'),
    adjustmentsMinor: getBalance('adjustments'),
    openingMinor: getBalance('opening'),
    // The ledger stores a cash balance as a debit, which is negative, so the sign is changed.
    cashMinor: -getBalance('cash'),
    percentage: computePercentage({ committedMinor, coveredMinor: committedMinor + lacking }),
  }
}

/** Computes the share of the committed amount that is covered. */
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
