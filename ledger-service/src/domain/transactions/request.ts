import type { Id } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import { type Investor, investorNeed, updateInvestor } from '../investors/investor.ts'
import { transactionNeed, transactionTable } from './transaction.ts'

/** The most pending requests of an investor. Prevents floods of unpaid requests in lists and totals. */
export const PENDING_MAX = 50

export function refuseTooManyPending({ pendingCount }: Investor): { refusal: Refusal } | null {
  if (pendingCount < PENDING_MAX) return null
  return refuse('tooManyPending', { pendingMax: String(PENDING_MAX) })
}

/** Returns the row of the request and, once it is loaded, the row of its owner. */
export function requestNeeds(transactionId: Id, view: View): readonly Need[] {
  const found = view.peek(transactionTable, transactionId)
  if (found === undefined || found === null) return [transactionNeed(transactionId)]
  return found.investorId === null ? [] : [investorNeed(found.investorId)]
}

export function countPending(view: View, investorId: Id, by: 1 | -1): void {
  updateInvestor(view, investorId, ({ pendingCount }) => ({
    pendingCount: pendingCount + by,
  }))
}

export function ownerOf(request: { transactionId: Id; investorId: Id | null }): Id {
  const { transactionId, investorId } = request
  if (investorId === null) throw new Error(`transaction ${transactionId} has no investor`)
  return investorId
}
