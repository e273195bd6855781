import { formatMoney, toMinor } from '../../shared/money/money.ts'
import type { Transaction } from './queries.ts'

type Row = Pick<Transaction, 'type' | 'net' | 'isApprovedOnce'>

const SUMMED = ['deposit', 'withdrawal'] as const
const SECOND_APPROVALS =
  'A second approval uses the account and the payout reference of the first one. To see them, open the transaction.'
const FIRST_APPROVALS =
  'To record a different amount or a payout reference, open the transaction instead.'

/** Names the total of each type that has a selected transaction. */
export function describeTotals(rows: readonly Row[]): string {
  return listSums(rows)
    .map(({ type, sum }) => `${formatMoney(sum)} in ${type}s`)
    .join(', ')
}

/** Says what the approval of these transactions does, and which details it cannot state. */
export function describeApproval(rows: readonly Row[]): string {
  const effects = joinSentences(rows, {
    deposit: (sum) => `${sum} is added to the Wallet Balances of the investors.`,
    withdrawal: (sum) =>
      `Approve only after ${sum} has been paid to the investors. The approval records these payments in the ledger.`,
  })
  const isAnySecond = rows.some(({ isApprovedOnce }) => isApprovedOnce)
  const isAnyFirst = rows.some(({ isApprovedOnce }) => !isApprovedOnce)
  return [
    effects,
    ...(isAnySecond ? [SECOND_APPROVALS] : []),
    // A second approval cannot state other details than the first one.
    ...(isAnyFirst ? [FIRST_APPROVALS] : []),
  ].join(' ')
}

/** Says what the decline of these transactions does. */
export function describeDecline(rows: readonly Row[]): string {
  return joinSentences(rows, {
    deposit: () => 'Declined deposits are not credited.',
    withdrawal: () => 'The money of declined withdrawals returns to the wallets.',
  })
}

/** Describes the consequences for each type of the selected transactions. */
function joinSentences(
  rows: readonly Row[],
  describe: Record<(typeof SUMMED)[number], (sum: string) => string>,
): string {
  return listSums(rows)
    .map(({ type, sum }) => describe[type](formatMoney(sum)))
    .join(' ')
}

/** Returns the total of each type that has a selected transaction. */
function listSums(rows: readonly Row[]) {
  return SUMMED.map((type) => ({ type, sum: sumAmounts(rows, type) })).filter(({ sum }) => sum > 0n)
}

const sumAmounts = (rows: readonly Row[], type: Transaction['type']) =>
  rows.filter((row) => row.type === type).reduce((sum, { net }) => sum + toMinor(net), 0n)
