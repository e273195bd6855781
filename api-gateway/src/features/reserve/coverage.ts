/** The kinds of account that hold what investors could claim. */
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
  /** Promised with nobody's money behind it. */
  shortfallMinor: bigint
  liabilitiesMinor: bigint
  feesMinor: bigint
  incomeMinor: bigint
  marketingMinor: bigint
  adjustmentsMinor: bigint
  /** The sum of all the others but the shortfall: the books balance. */
  cashMinor: bigint
  /** 0 to 100, in hundredths; 100 while nothing is committed. */
  percentage: number
}

/**
 * What is committed was set aside from the reserve; as far as the reserve, marketing or adjustments
 * are below zero, nobody has paid it in yet.
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
    // The operator's bank accounts are assets: their account is a debit.
    cashMinor: -of('cash'),
    percentage: Number(hundredths) / 100,
  }
}
