import type { InvestmentProgress } from '@cairn/gateway-contracts'

import { type Minor, toMinor } from '../../money/money.ts'

export type Share = { name: string; minor: Minor; tenths: bigint }

/** Running principal by plan, largest first; `tenths` of a percent, rounded down. */
export function allocationOf(running: readonly InvestmentProgress[]): readonly Share[] {
  const byPlan = new Map<string, Minor>()
  for (const { investment } of running) {
    const name = investment.plan.name ?? 'No Plan'
    byPlan.set(name, (byPlan.get(name) ?? 0n) + toMinor(investment.amount))
  }
  const total = [...byPlan.values()].reduce((sum, minor) => sum + minor, 0n)
  return [...byPlan]
    .map(([name, minor]) => ({ name, minor, tenths: total === 0n ? 0n : (minor * 1000n) / total }))
    .toSorted((left, right) => (left.minor < right.minor ? 1 : left.minor > right.minor ? -1 : 0))
}

/** `62.5%` */
export function shareWords(tenths: bigint): string {
  return `${tenths / 10n}.${tenths % 10n}%`
}
