import type { InvestmentProgress } from '@cairn/gateway-contracts'

import { type Minor, toMinor } from '../../shared/money/money.ts'

/** One part of a total. `tenths` is its share in tenths of a percent. */
export type Share = { name: string; minor: Minor; tenths: bigint }

/** Returns the running principal by plan, largest first. */
export function computeAllocation(running: readonly InvestmentProgress[]): readonly Share[] {
  const byPlan = new Map<string, Minor>()
  for (const { investment } of running) {
    const name = investment.plan.name ?? 'No Plan'
    byPlan.set(name, (byPlan.get(name) ?? 0n) + toMinor(investment.amount))
  }
  return computeShares(byPlan).toSorted((left, right) =>
    left.minor < right.minor ? 1 : left.minor > right.minor ? -1 : 0,
  )
}

const DAY_MS = 86_400_000
const LATER = 'Ends later'
const TERMS = [
  { name: 'Ends within 7 days', days: 7 },
  { name: 'Ends in 7 to 30 days', days: 30 },
  { name: 'Ends in 30 to 90 days', days: 90 },
  { name: LATER, days: Number.POSITIVE_INFINITY },
] as const

/** Returns the principal of running investments by maturity date. The next date comes first. */
export function computeMaturities(
  running: readonly InvestmentProgress[],
  nowMs: number,
): readonly Share[] {
  const byTerm = new Map<string, Minor>(TERMS.map(({ name }) => [name, 0n]))
  for (const { investment } of running) {
    const leftMs = Date.parse(investment.expiryDate) - nowMs
    const name = TERMS.find(({ days }) => leftMs <= days * DAY_MS)?.name ?? LATER
    byTerm.set(name, (byTerm.get(name) ?? 0n) + toMinor(investment.amount))
  }
  return computeShares(byTerm).filter(({ minor }) => minor > 0n)
}

/**
 * Computes the share of each amount in the total. The shares are rounded so that they sum to exactly
 * 100 %: each is rounded down, and the largest remainders are rounded up.
 */
function computeShares(amounts: ReadonlyMap<string, Minor>): readonly Share[] {
  const total = [...amounts.values()].reduce((sum, minor) => sum + minor, 0n)
  if (total === 0n) return [...amounts].map(([name, minor]) => ({ name, minor, tenths: 0n }))
  const rounded = [...amounts].map(([name, minor]) => {
    const scaled = minor * 1000n
    return { name, minor, tenths: scaled / total, remainder: scaled % total }
  })
  const missing = 1000n - rounded.reduce((sum, { tenths }) => sum + tenths, 0n)
  const raised = new Set(
    rounded
      .toSorted((left, right) => Number(right.remainder - left.remainder))
      .slice(0, Number(missing))
      .map(({ name }) => name),
  )
  return rounded.map(({ name, minor, tenths }) => ({
    name,
    minor,
    tenths: raised.has(name) ? tenths + 1n : tenths,
  }))
}

/** Formats tenths of a percent, such as `62.5%`. */
export function formatShare(tenths: bigint): string {
  return `${tenths / 10n}.${tenths % 10n}%`
}
