import {
  type AccountKind,
  getAccountKind,
  getTotalName,
  type Posting,
} from '@cairn/ledger-contracts'
import type { PlacedEvent } from '../../log/model.ts'
import { createStateTable } from '../../log/table.ts'
import type { Need, View } from '../../log/view.ts'
import { addToTotal } from './control-total.ts'

export const balanceTable = createStateTable('balance', 'account', {
  account: 'text',
  balanceMinor: 'int8',
  floorMinor: 'int8?',
  lastSeq: 'int8',
})

/** The account kinds whose balance may be negative. Any other balance must be at least zero. */
const WITHOUT_FLOOR: readonly AccountKind[] = [
  'cash',
  'reserve',
  'marketing',
  'adjustments',
  'opening',
]

/** True if the balance of the account must not fall below zero. */
export function hasFloor(account: string): boolean {
  return !WITHOUT_FLOOR.includes(getAccountKind(account))
}

export function listBalanceNeeds(...accounts: readonly string[]): readonly Need[] {
  return accounts.map((key) => ({ table: balanceTable, key }))
}

export function getBalance(view: View, account: string): bigint {
  return view.find(balanceTable, account)?.balanceMinor ?? 0n
}

/**
 * Returns two postings that move `amountMinor` from one account to another. Returns no postings if
 * the amount is zero.
 */
export function createMovePostings(
  from: string,
  to: string,
  amountMinor: bigint,
): readonly Posting[] {
  if (amountMinor === 0n) return []
  return [
    { account: from, amountMinor: -amountMinor },
    { account: to, amountMinor },
  ]
}

export function reversePosting({ account, amountMinor }: Posting): Posting {
  return { account, amountMinor: -amountMinor }
}

/**
 * Applies the postings of an event to the balances and to the control total of each kind and asset.
 */
export function applyPostings({ postings, seq }: PlacedEvent, view: View): void {
  for (const { account, amountMinor } of postings) {
    const floorMinor = hasFloor(account) ? 0n : null
    const balanceMinor = getBalance(view, account) + amountMinor
    if (floorMinor !== null && balanceMinor < floorMinor) {
      throw new Error(`${account} would fall to ${balanceMinor}`)
    }
    view.put(balanceTable, { account, balanceMinor, floorMinor, lastSeq: seq })
    addToTotal(view, { name: `account:${getTotalName(account)}`, amountMinor, seq })
  }
}
