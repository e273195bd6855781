import { getAsset, getTotalName, sumByAsset } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { copyRows } from '../service/database/copy-rows.ts'
import type { Findings } from './findings.ts'
import type { PostingRow } from './ordered-postings.ts'

/**
 * Sums the postings per account, and compares each sum with the balance that the posting stores.
 */
export interface RunningBalances {
  add(posting: PostingRow): void
  /** Returns the current sum of each account kind and asset. */
  sumByKind(): ReadonlyMap<string, bigint>
  /** Compares the sums with the stored balances, and the total of each asset with zero. */
  compare(): Promise<void>
}

export async function createRunningBalances(
  client: pg.ClientBase,
  options: {
    ledger: number
    found: Findings
    /** The balances before the first posting that is added. The default is no balances. */
    before?: AsyncIterable<readonly [account: string, sum: bigint]>
  },
): Promise<RunningBalances> {
  const { ledger, found, before = [] } = options
  // The objects are changed in place, so that each posting needs only one lookup.
  const kinds = new Map<string, { sum: bigint }>()
  const accounts = new Map<string, { sum: bigint; kind: { sum: bigint } }>()
  const wrong = new Set<string>()
  let event = { seq: -1n, sum: 0n, others: new Map<string, bigint>() }
  for await (const [account, sum] of before) {
    const known = addAccount(account)
    known.sum = sum
    known.kind.sum += sum
  }

  function addAccount(account: string) {
    const name = getTotalName(account)
    const kind = kinds.get(name) ?? { sum: 0n }
    kinds.set(name, kind)
    const known = { sum: 0n, kind }
    accounts.set(account, known)
    return known
  }

  function endEvent(): void {
    const isBalanced = event.sum === 0n && [...event.others.values()].every((sum) => sum === 0n)
    if (!isBalanced) found.addProblemAt(event.seq, 'its postings do not add up to zero')
  }

  return {
    add: ({ seq, account, amountMinor, balanceAfterMinor }) => {
      if (seq !== event.seq) {
        endEvent()
        event = { seq, sum: 0n, others: new Map() }
      }
      const asset = getAsset(account)
      if (asset === null) event.sum += amountMinor
      else event.others.set(asset, (event.others.get(asset) ?? 0n) + amountMinor)
      const known = accounts.get(account) ?? addAccount(account)
      known.sum += amountMinor
      known.kind.sum += amountMinor
      if (known.sum === balanceAfterMinor || wrong.has(account)) return
      // Only the first difference of an account is reported, because all later postings of the
      // account repeat this difference.
      wrong.add(account)
      found.addProblemAt(
        seq,
        `the balance of ${account} after the event is ${known.sum}, not ${balanceAfterMinor}`,
      )
    },
    sumByKind: () => new Map(Array.from(kinds, ([name, { sum }]) => [name, sum])),
    compare: async () => {
      endEvent()
      const sums = Array.from(accounts, ([account, { sum }]) => [account, sum] as const)
      for (const [asset, total] of sumByAsset(sums)) {
        const of = asset === null ? '' : ` in ${asset}`
        if (total !== 0n) found.add(`the postings of all events${of} add up to ${total}`)
      }
      for await (const page of readBalances(client, ledger)) {
        for (const [account, balanceMinor] of page) {
          if (accounts.get(account)?.sum !== balanceMinor) found.add(describeWrongBalance(account))
          accounts.delete(account)
        }
      }
      for (const account of accounts.keys()) found.add(describeWrongBalance(account))
    },
  }
}

function describeWrongBalance(account: string): string {
  return `account ${account}: its balance is not the sum of its postings`
}

function readBalances(client: pg.ClientBase, ledger: number) {
  const select = `select account, balance_minor from ledger.balance where ledger_id = ${Number(ledger)}`
  return copyRows(client, select, (row) => [row.readText(), row.readInt8()] as const)
}
