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
export function coverageOf(byKind: ReadonlyMap<string, bigint>): BookCoverage {
  const of = (kind: string) => byKind.get(kind) ?? 0n
  const below = (minor: bigint) => (minor < 0n ? minor : 0n)
  const committedMinor = of('committed')
  const reserveMinor = of('reserve')
  const lacking = below(reserveMinor + below(of('marketing')) + below(of('adjustments')))
  const coveredMinor = committedMinor + lacking
  const hundredths =
    committedMinor <= 0n ? 10_000n : (below(-coveredMinor) * -10_000n) / committedMinor
  return {
    reserveMinor,
    committedMinor,
    shortfallMinor: -lacking,
    liabilitiesMinor: CLAIMABLE.reduce((sum, kind) => sum + of(kind), 0n),
    feesMinor: of('fees'),
    incomeMinor: of('income'),
    marketingMinor: of('marketing'),
    adjustmentsMinor: of('adjustments'),
    // Bank accounts are assets, so their balance is a debit, which is negative.
    cashMinor: -of('cash'),
    percentage: Number(hundredths) / 100,
  }
}
