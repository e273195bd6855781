import type { Id } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import { createInvestorNeed, type Investor, updateInvestor } from '../investors/investor.ts'
import { createTransactionNeed, transactionTable } from './transaction.ts'

/** The maximum number of pending requests of an investor. Prevents floods of unpaid requests. */
export const PENDING_MAX = 50

export function refuseTooManyPending({ pendingCount }: Investor): { refusal: Refusal } | null {
  if (pendingCount < PENDING_MAX) return null
  return refuse('tooManyPending', { pendingMax: String(PENDING_MAX) })
}

/**
 * Returns the need for the row of the request until this row is loaded. After that, returns the
 * need for the row of the request's owner.
 */
export function listRequestNeeds(transactionId: Id, view: View): readonly Need[] {
  const found = view.peek(transactionTable, transactionId)
  if (found === undefined || found === null) return [createTransactionNeed(transactionId)]
  return found.investorId === null ? [] : [createInvestorNeed(found.investorId)]
}

export function changePendingCount(view: View, investorId: Id, by: 1 | -1): void {
  updateInvestor(view, investorId, ({ pendingCount }) => ({
    pendingCount: pendingCount + by,
  }))
}

export function requireOwner(request: { transactionId: Id; investorId: Id | null }): Id {
  const { transactionId, investorId } = request
  if (investorId === null) throw new Error(`transaction ${transactionId} has no investor`)
  return investorId
}
