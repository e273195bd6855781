import { type Fact, getAsset, type Posting, sumByAsset } from '@cairn/ledger-contracts'
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

/** Throws if the postings of an event do not add up to zero in each asset. */
export function assertZeroSum(fact: Fact, postings: readonly Posting[]): void {
  // Most events have two postings in the currency of the ledger. For two postings, a comparison is
  // faster than a sum for each asset.
  const [first, second] = postings
  if (first === undefined) return
  if (postings.length === 2 && second !== undefined && isBalanced(first, second)) return
  const amounts = postings.map(({ account, amountMinor }) => [account, amountMinor] as const)
  for (const [asset, sum] of sumByAsset(amounts)) {
    if (sum !== 0n) throw new Error(`${fact.type}: ${describeSum(sum, asset)}`)
  }
}

function isBalanced(one: Posting, other: Posting): boolean {
  return one.amountMinor === -other.amountMinor && getAsset(one.account) === getAsset(other.account)
}

function describeSum(sum: bigint, asset: string | null): string {
  return `the postings${asset === null ? '' : ` in ${asset}`} add up to ${sum}, not to zero`
}
