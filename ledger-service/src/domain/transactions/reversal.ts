import { account, type Id, type LedgerTransaction } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { balanceOf } from '../accounts/account.ts'
import { investorTable } from '../investors/investor.ts'
import { CANCELLED_BY_USER, ownerOf } from './request.ts'
import { type Transaction, transactionTable } from './transaction.ts'

/** A decided request whose decision may be turned into the other one. */
export function reversible(
  view: View,
  asked: { transactionId: Id; type: LedgerTransaction['type']; to: 'success' | 'declined' },
): Transaction | { refusal: Refusal } {
  const found = view.find(transactionTable, asked.transactionId)
  if (found === null || found.type !== asked.type) {
    return refuse('TRANSACTION_UNKNOWN', `There is no such ${asked.type}`)
  }
  if (found.status === 'pending') {
    return refuse('NOT_REVERSIBLE', 'It is still pending: approve or decline it')
  }
  if (found.status === asked.to) {
    return refuse('NOT_REVERSIBLE', `It is already ${asked.to}`, { status: asked.to })
  }
  if (found.reason === CANCELLED_BY_USER) {
    return refuse('NOT_REVERSIBLE', 'Its owner took it back; a new request is needed')
  }
  // A closed account is empty, and nobody could ever take out what a reversal put back into it.
  const owner = view.find(investorTable, ownerOf(found))
  if (owner === null || owner.standing === 'closed') {
    return refuse('INVESTOR_UNKNOWN', 'Its owner has closed the account')
  }
  return found
}

/** What was swept to the reserve has to come back before the fee can be given back. */
export function refuseSweptFee(view: View, feeMinor: bigint): { refusal: Refusal } | null {
  const availableMinor = balanceOf(view, account.operator('fees'))
  if (availableMinor >= feeMinor) return null
  return refuse('INSUFFICIENT_FUNDS', 'Its fee is no longer among the fees', {
    availableMinor: String(availableMinor),
  })
}
