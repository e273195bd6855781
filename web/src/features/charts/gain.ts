import type { Minor } from '../../shared/money/money.ts'
import type { Holding } from './series.ts'

/** The gain of a period: `minor` is `profit` and `referrals` less `costs`. */
export type Gain = {
  minor: Minor
  /** The profit that investments credited. */
  profit: Minor
  /** The referral bonuses. */
  referrals: Minor
  /** Fees, and principal that plans kept. */
  costs: Minor
}

const NOTHING = { total: 0n, contributed: 0n, profit: 0n, bonuses: 0n } as const

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
  // A worker sums the bonuses shortly after the balances have changed. The rest of the gain that is
  // not summed yet can only be bonuses.
  const rest = minor - profit - (last.bonuses - start.bonuses)
  const costs = rest < 0n ? -rest : 0n
  return { minor, profit, referrals: minor - profit + costs, costs }
}
