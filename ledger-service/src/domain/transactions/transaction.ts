import {
  formatReference,
  type Id,
  type LedgerTransaction,
  TransactionPurpose,
  TransactionStatus,
  TransactionType,
} from '@cairn/ledger-contracts'
import type { Decision, PlacedEvent, Refusal } from '../../log/model.ts'
import { refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { Need, View } from '../../log/view.ts'
import { addToTotal } from '../accounts/control-total.ts'
import { findDecider, findMaker } from '../controls/approver-list.ts'

export const transactionTable = createStateTable('transaction', 'transactionId', {
  transactionId: 'text',
  reference: 'text',
  type: TransactionType.options,
  purpose: TransactionPurpose.options,
  status: TransactionStatus.options,
  investorId: 'text?',
  amountMinor: 'int8',
  requestedMinor: 'int8',
  feeMinor: 'int8',
  feePpm: 'int4',
  isCredit: 'bool',
  method: 'text',
  paymentOptionId: 'text?',
  receiptId: 'text?',
  receiptSha256: 'text?',
  bankAccountId: 'text?',
  bankAccountSha256: 'text?',
  holdReason: 'text?',
  investmentId: 'text?',
  reason: 'text?',
  payoutReference: 'text?',
  requestedBy: 'text',
  decidedBy: 'text?',
  createdAt: 'timestamptz',
  decidedAt: 'timestamptz?',
  seq: 'int8',
  lastSeq: 'int8',
})
export type Transaction = RowOf<typeof transactionTable>

export function createTransactionNeed(transactionId: Id): Need {
  return { table: transactionTable, key: transactionId }
}

/** Returns the need for the row of a transaction that the command creates. */
export function createNewTransactionNeed(transactionId: Id): Need {
  return { ...createTransactionNeed(transactionId), isCreated: true }
}

/** Refuses an id that a transaction already has. Returns null if the id is unused. */
export function refuseUsedId(view: View, transactionId: Id): Decision | null {
  if (view.find(transactionTable, transactionId) === null) return null
  return refuse('transactionExists')
}

export function findPendingTransaction(
  view: View,
  { transactionId, type }: { transactionId: Id; type: LedgerTransaction['type'] },
): Transaction | { refusal: Refusal } {
  const found = view.find(transactionTable, transactionId)
  if (found === null || found.type !== type) {
    return refuse('requestUnknown', { type })
  }
  if (found.status === 'pending') return found
  const { status } = found
  const isDone = status === 'success'
  const details = {
    status,
    decidedBy: found.decidedBy ?? '',
    decidedAt: new Date(found.decidedAt ?? found.createdAt).toISOString(),
  }
  return refuse('requestDecided', { ...details, type, decision: isDone ? 'approved' : status })
}

export type Opening = Pick<
  Transaction,
  | 'transactionId'
  | 'type'
  | 'purpose'
  | 'status'
  | 'investorId'
  | 'amountMinor'
  | 'isCredit'
  | 'method'
> &
  Partial<Transaction>

/**
 * Adds a row with the times and the actor of the event. Properties that `opening` omits are null or
 * zero.
 */
export function openTransaction(view: View, event: PlacedEvent, opening: Opening): void {
  const row: Transaction = {
    reference: formatReference(opening.transactionId),
    requestedMinor: opening.amountMinor,
    feeMinor: 0n,
    feePpm: 0,
    paymentOptionId: null,
    receiptId: null,
    receiptSha256: null,
    bankAccountId: null,
    bankAccountSha256: null,
    holdReason: null,
    investmentId: null,
    reason: null,
    payoutReference: null,
    requestedBy: findMaker(event),
    decidedBy: opening.status === 'pending' ? null : findDecider(event),
    createdAt: event.effectiveAtMs,
    decidedAt: opening.status === 'pending' ? null : event.effectiveAtMs,
    seq: event.seq,
    lastSeq: event.seq,
    ...opening,
  }
  view.put(transactionTable, row)
  addTransactionToTotals(view, row, 1n, event.seq)
}

export function applyDecision(
  view: View,
  event: PlacedEvent,
  change: Pick<Transaction, 'transactionId' | 'status'> & Partial<Transaction>,
): void {
  const row = view.find(transactionTable, change.transactionId)
  if (row === null) throw new Error(`transaction ${change.transactionId} is not in the ledger`)
  const { effectiveAtMs: decidedAt, seq: lastSeq } = event
  const decidedBy = findDecider(event)
  const decided = { ...row, decidedBy, decidedAt, lastSeq, ...change }
  addTransactionToTotals(view, row, -1n, lastSeq)
  addTransactionToTotals(view, decided, 1n, lastSeq)
  view.put(transactionTable, decided)
}

function addTransactionToTotals(view: View, row: Transaction, by: bigint, seq: bigint): void {
  const { type, status, amountMinor } = row
  addToTotal(view, {
    name: `transaction:${type}:${status}`,
    count: by,
    amountMinor: by * amountMinor,
    seq,
  })
}
