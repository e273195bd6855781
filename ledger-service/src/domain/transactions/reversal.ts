import { account, type Id, type LedgerTransaction } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { getBalance } from '../accounts/account.ts'
import { investorTable } from '../investors/investor.ts'
import { requireOwner } from './request.ts'
import { type Transaction, transactionTable } from './transaction.ts'

/** Returns the decided request if its decision can be changed to `to`; otherwise a refusal. */
export function findReversibleRequest(
  view: View,
  request: { transactionId: Id; type: LedgerTransaction['type']; to: 'success' | 'declined' },
): Transaction | { refusal: Refusal } {
  const found = view.find(transactionTable, request.transactionId)
  if (found === null || found.type !== request.type) {
    return refuse('requestUnknown', { type: request.type })
  }
  if (found.status === 'pending') {
    return refuse('stillPending')
  }
  if (found.status === request.to) {
    return refuse('alreadyReversed', { status: request.to })
  }
  if (found.status === 'cancelled') {
    return refuse('cancelledByOwner')
  }
  // A reversal is refused if the account of the owner is closed. The owner could not withdraw the
  // money that the reversal credits.
  const owner = view.find(investorTable, requireOwner(found))
  if (owner === null || owner.standing === 'closed') {
    return refuse('ownerClosed')
  }
  return found
}

/**
 * Refuses a reversal whose fee is no longer in the account `fees`, because fees were moved to the
 * reserve.
 */
export function refuseSweptFee(view: View, feeMinor: bigint): { refusal: Refusal } | null {
  const availableMinor = getBalance(view, account.getOperatorCode('fees'))
  if (availableMinor >= feeMinor) return null
  return refuse('feeSpent', {
    availableMinor: String(availableMinor),
  })
}
