/**
 * The result of a comparison between the payments of a run and the ledger. Each payment has a
 * unique amount.
 */
export interface Comparison {
  /** Payments that were acknowledged and that the ledger does not contain. */
  readonly lost: readonly number[]
  /** Payments that the ledger contains more than once. */
  readonly doubled: readonly number[]
  /** Payments in the ledger that no client made. */
  readonly foreign: readonly number[]
}

/**
 * Compares the payments of the clients with the amounts in the ledger. The ledger may contain a
 * payment without an acknowledgement, but at most once.
 */
export function comparePayments({
  requested,
  acknowledged,
  stored,
}: {
  requested: ReadonlySet<number>
  acknowledged: ReadonlySet<number>
  stored: readonly number[]
}): Comparison {
  const counts = new Map<number, number>()
  for (const amount of stored) counts.set(amount, (counts.get(amount) ?? 0) + 1)
  return {
    lost: [...acknowledged].filter((amount) => !counts.has(amount)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([amount]) => amount),
    foreign: [...counts.keys()].filter((amount) => !requested.has(amount)),
  }
}

/** Returns the longest time without an acknowledgement from `fromMs` to `toMs`, in milliseconds. */
export function findLongestGap(
  acknowledgedAtMs: readonly number[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  const inside = acknowledgedAtMs.filter((at) => at >= fromMs && at <= toMs)
  const times = [fromMs, ...inside.toSorted((left, right) => left - right), toMs]
  return Math.max(...times.slice(1).map((at, place) => at - (times[place] ?? at)))
}
