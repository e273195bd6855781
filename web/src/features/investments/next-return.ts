import type { InvestmentProgress } from '@cairn/gateway-contracts'
import { type Minor, toMinor } from '../../shared/money/money.ts'

/** A principal that is due to the Wallet Balance at the end of its investment. */
export type NextReturn = { amountMinor: Minor; dueAt: string }

/**
 * Returns the principal that is due first. Ignores plans that do not return the principal. Returns
 * null if no principal is due.
 */
export function findNextReturn(running: readonly InvestmentProgress[]): NextReturn | null {
  const [next = null] = running
    .filter(({ investment }) => investment.returnPrincipal)
    .map(({ investment: { amount, expiryDate } }) => ({
      amountMinor: toMinor(amount),
      dueAt: expiryDate,
    }))
    .toSorted((left, right) => Date.parse(left.dueAt) - Date.parse(right.dueAt))
  return next
}
