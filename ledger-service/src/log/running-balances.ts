import type { Fact, Posting } from '@cairn/ledger-contracts'
import type { RowOf } from './table.ts'
import type { postingTable } from './tables.ts'

/** Returns the posting rows of an event, each with the balance of its account after the posting. */
export function computeRunningBalances(
  postings: readonly Posting[],
  seq: bigint,
  balanceOf: (account: string) => bigint,
): RowOf<typeof postingTable>[] {
  const running = new Map<string, bigint>()
  return postings.map(({ account, amountMinor }, leg) => {
    const balanceAfterMinor = (running.get(account) ?? balanceOf(account)) + amountMinor
    running.set(account, balanceAfterMinor)
    return { account, seq, leg, amountMinor, balanceAfterMinor }
  })
}

/** Throws if the postings of an event do not add up to zero. */
export function assertZeroSum(fact: Fact, postings: readonly Posting[]): void {
  const sum = postings.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  if (sum !== 0n) throw new Error(`${fact.type}: the postings add up to ${sum}, not to zero`)
}
