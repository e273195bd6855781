import type { Minor } from '../../shared/money/money.ts'
import type { Holding } from './series.ts'

/** The gain of a period: `minor` is the sum of `profit` and `referrals`. */
export type Gain = {
  minor: Minor
  /** The profit that investments credited. */
  profit: Minor
  /** Referral bonuses, less fees and principal that plans kept. */
  referrals: Minor
}

const NOTHING = { total: 0n, contributed: 0n, profit: 0n } as const

/**
 * Computes the gain since the day `from`: the change of the net worth without deposits, withdrawals
 * and credits by administrators. An account that is younger than `from` begins with nothing. Returns
 * null without holdings.
 */
export function computeGain(holdings: readonly Holding[], from: string): Gain | null {
  const [first, last] = [holdings[0], holdings.at(-1)]
  if (first === undefined || last === undefined) return null
  const start = first.day > from ? NOTHING : first
  const minor = last.total - last.contributed - (start.total - start.contributed)
  const profit = last.profit - start.profit
  return { minor, profit, referrals: minor - profit }
}
