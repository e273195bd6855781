import type { Id, Wallet } from '@cairn/ledger-contracts'
import type { View } from '../../log/view.ts'
import { updateInvestor } from '../investors/investor.ts'
import { adjustWithdrawalCount } from './limits.ts'

interface Pending {
  transactionId: Id
  investorId: Id
  source: Wallet
}

/**
 * Counts a pending withdrawal. Stores the ids of withdrawals from `referral`, because a returned
 * bonus can be taken from these withdrawals.
 */
export function addPendingWithdrawal(
  view: View,
  { transactionId, investorId, source }: Pending,
): void {
  updateInvestor(view, investorId, ({ pendingCount, referralWithdrawals }) => ({
    pendingCount: pendingCount + 1,
    ...(source === 'referral' && {
      referralWithdrawals: [...splitIds(referralWithdrawals), transactionId].join(' '),
    }),
  }))
}

export function removePendingWithdrawal(
  view: View,
  { transactionId, investorId, source }: Pending,
): void {
  updateInvestor(view, investorId, ({ pendingCount, referralWithdrawals }) => ({
    pendingCount: pendingCount - 1,
    ...(source === 'referral' && {
      referralWithdrawals: splitIds(referralWithdrawals)
        .filter((id) => id !== transactionId)
        .join(' '),
    }),
  }))
}

/**
 * Called when a pending withdrawal will not be paid. Removes the withdrawal from the pending
 * requests and subtracts its amount from the amounts that count against the limits.
 */
export function removeReleasedWithdrawal(
  view: View,
  released: Pending & { amountMinor: bigint },
): void {
  const { transactionId, investorId, amountMinor } = released
  adjustWithdrawalCount(view, { transactionId, investorId, amountMinor: -amountMinor })
  removePendingWithdrawal(view, released)
}

export function splitIds(ids: string): readonly Id[] {
  return ids === '' ? [] : ids.split(' ')
}
