/** The kinds of account that investors could claim. */
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
  /** Promised profit that the operator's own money does not back. */
  shortfallMinor: bigint
  liabilitiesMinor: bigint
  feesMinor: bigint
  incomeMinor: bigint
  marketingMinor: bigint
  adjustmentsMinor: bigint
  /** The sum of all other figures without the shortfall, because the postings sum to zero. */
  cashMinor: bigint
  /** 0 to 100 with two decimals; 100 if nothing is committed. */
  percentage: number
}

/**
 * Computes the coverage. A negative balance of reserve, marketing or adjustments is money that the
 * operator has not paid in yet.
 */
export function computeCoverage(byKind: ReadonlyMap<string, bigint>): BookCoverage {
  const getBalance = (kind: string) => byKind.get(kind) ?? 0n
  const takeNegative = (minor: bigint) => (minor < 0n ? minor : 0n)
  const committedMinor = getBalance('committed')
  const reserveMinor = getBalance('reserve')
  const lacking = takeNegative(
    reserveMinor + takeNegative(getBalance('marketing')) + takeNegative(getBalance('adjustments')),
  )
  const coveredMinor = committedMinor + lacking
  const hundredths =
    committedMinor <= 0n ? 10_000n : (takeNegative(-coveredMinor) * -10_000n) / committedMinor
  return {
    reserveMinor,
    committedMinor,
    shortfallMinor: -lacking,
    liabilitiesMinor: CLAIMABLE.reduce((sum, kind) => sum + getBalance(kind), 0n),
    feesMinor: getBalance('fees'),
    incomeMinor: getBalance('income'),
    marketingMinor: getBalance('marketing'),
    adjustmentsMinor: getBalance('adjustments'),
    // Bank accounts are assets, so their balance is a debit, which is negative.
    cashMinor: -getBalance('cash'),
    percentage: Number(hundredths) / 100,
  }
}
