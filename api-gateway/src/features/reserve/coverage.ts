import {
  type CoveringBalances,
  computeFreeReserve,
  computePercentage,
} from '@cairn/gateway-contracts/coverage-rule'

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

export interface BookCoverage extends CoveringBalances {
  committedMinor: bigint
  /** Promised profit that the operator's own money does not cover. */
  shortfallMinor: bigint
  liabilitiesMinor: bigint
  feesMinor: bigint
  incomeMinor: bigint
  /**
   * The balance of the bank accounts. It equals the sum of the other amounts except the shortfall.
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
  const committedMinor = getBalance('committed')
  const covering = {
    reserveMinor: getBalance('reserve'),
    marketingMinor: getBalance('marketing'),
    adjustmentsMinor: getBalance('adjustments'),
    openingMinor: getBalance('opening'),
  }
  const freeMinor = computeFreeReserve(covering)
  const shortfallMinor = freeMinor < 0n ? -freeMinor : 0n
  return {
    ...covering,
    committedMinor,
    shortfallMinor,
    liabilitiesMinor: CLAIMABLE.reduce((sum, kind) => sum + getBalance(kind), 0n),
    feesMinor: getBalance('fees'),
    incomeMinor: getBalance('income'),
    // The ledger stores a cash balance as a debit, which is negative, so the sign is changed.
    cashMinor: -getBalance('cash'),
    percentage: computePercentage({
      committedMinor,
      coveredMinor: committedMinor - shortfallMinor,
    }),
  }
}
