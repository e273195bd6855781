import type { Id } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { findActiveInvestor, type Investor, investorTable } from '../investors/investor.ts'

/** The reason for the hold on a withdrawal from an account that is not active. */
export const INACTIVE_REASON =
  'The account is not active, and an administrator requested the payout'

/**
 * Returns the investor if the actor can request a withdrawal for this investor; otherwise a
 * refusal. An administrator can do so only while the account is deactivated or denied, any other
 * actor only while the account is active.
 */
export function findWithdrawalInvestor(
  view: View,
  { investorId, actor }: { investorId: Id; actor: string },
): Investor | { refusal: Refusal } {
  const investor = view.find(investorTable, investorId)
  if (!actor.startsWith('admin:')) return findActiveInvestor(view, investorId)
  if (investor?.standing === 'active') return refuse('payoutOfActive')
  const isDormant = investor?.standing === 'deactivated' || investor?.standing === 'denied'
  return isDormant ? investor : findActiveInvestor(view, investorId)
}

export function isInactive(view: View, investorId: Id): boolean {
  return view.find(investorTable, investorId)?.standing !== 'active'
}
