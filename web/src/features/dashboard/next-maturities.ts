import type { InvestmentProgress } from '@cairn/gateway-contracts'
import { type Minor, toMinor } from '../../shared/money/money.ts'

/** The end of a running investment, and what the investor still receives. */
export type Maturity = {
  investmentId: string
  planName: string
  endsAt: string
  /** The profit that is not credited yet. It is credited in parts until the end. */
  profitMinor: Minor
  /** The principal that is returned at the end; zero if the plan keeps it. */
  principalMinor: Minor
}

/** The next profit that is credited to a running investment. */
export type NextProfit = {
  investmentId: string
  /** Null if the plan has no name. */
  planName: string | null
  at: string
  amountMinor: Minor
}

/** Returns the earliest next profit of the running investments, or null if none is due. */
export function findNextProfit(running: readonly InvestmentProgress[]): NextProfit | null {
  const [next = null] = running
    .flatMap(({ nextProfitAt: at, nextProfit, investment: { id, plan } }): NextProfit[] => {
      if (at === null || nextProfit === null) return []
      return [{ investmentId: id, planName: plan.name, at, amountMinor: toMinor(nextProfit) }]
    })
    .toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at))
  return next
}

/** Returns the running investments that end first, ordered by their end. */
export function findNextMaturities(
  running: readonly InvestmentProgress[],
  count: number,
): readonly Maturity[] {
  return running
    .map(({ investment }) => toMaturity(investment))
    .toSorted((left, right) => Date.parse(left.endsAt) - Date.parse(right.endsAt))
    .slice(0, count)
}

function toMaturity(investment: InvestmentProgress['investment']): Maturity {
  const { id, plan, amount, profit, expectedProfit, returnPrincipal, expiryDate } = investment
  return {
    investmentId: id,
    planName: plan.name ?? 'No Plan',
    endsAt: expiryDate,
    profitMinor: toMinor(expectedProfit) - toMinor(profit),
    principalMinor: returnPrincipal ? toMinor(amount) : 0n,
  }
}
