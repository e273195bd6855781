import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import { followingId } from '@cairn/gateway-contracts/following-ids'
import type { ReceiptFacts } from '../verify/index.ts'

/**
 * Returns why a genuine receipt does not prove the newest event of the transaction, or null. Every
 * event of the ledger has a genuine receipt, so a server that invents a transaction could answer
 * with the receipt of another one.
 */
export function findMismatch(
  { seq, type, event }: Pick<ReceiptFacts, 'seq' | 'type' | 'event'>,
  wanted: {
    transactionId: string
    /** The number of the event in the site, as the server answers it with the receipt. */
    seq: string
    /** The number in the site of the newest event on the page; null until it has loaded. */
    newestSeq: string | null
  },
): string | null {
  const { transactionId, newestSeq } = wanted
  if (splitEventNumber(wanted.seq).seq !== seq) return 'it is for another event than it should be'
  if (newestSeq !== null && BigInt(wanted.seq) < BigInt(newestSeq)) {
    return 'it is for an earlier event than the newest one on this page'
  }
  if (
    !namesTransaction(event, transactionId) &&
    deriveTransactionId(type, event) !== transactionId
  ) {
    return 'its event is not about this transaction'
  }
  return null
}

/** The events that make a transaction of which their data names only the investment. */
const DERIVATIONS: Readonly<Record<string, (investmentId: string) => string>> = {
  InvestmentOpened: followingId.derivePurchaseId,
  InvestmentMatured: followingId.derivePrincipalReturnId,
  InvestmentCancelled: followingId.derivePrincipalReturnId,
  InvestmentDenied: followingId.derivePrincipalReturnId,
  ReferralBonusPaid: followingId.deriveReferralBonusId,
}

function deriveTransactionId(type: string, event: ReceiptFacts['event']): string | null {
  // The cast is safe because the value is compared before it is used.
  const investmentId = (event.data as { investmentId?: unknown } | undefined)?.investmentId
  const derive = DERIVATIONS[type]
  return derive === undefined || typeof investmentId !== 'string' ? null : derive(investmentId)
}

/** True if the data of the event has a member `transactionId` with this id, at any depth. */
function namesTransaction(value: unknown, transactionId: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, part]) =>
      (name === 'transactionId' && part === transactionId) || namesTransaction(part, transactionId),
  )
}
