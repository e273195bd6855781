import type { LedgerClient, LedgerTransaction } from '@cairn/ledger-contracts'
import type { Exchange } from '../http/registry.ts'

/**
 * Returns true if an earlier request with the same key and content has recorded this transaction. A
 * handler asks this before it checks what can change between two requests, such as a bank account.
 * If such a check refused the repetition of a recorded request, its sender would believe that
 * nothing was recorded, and would request the money again with another key. The id can belong to a
 * request with another key, for example by the reference of a deposit, so the content is compared.
 */
export async function isRecorded(
  ledger: Pick<LedgerClient, 'ask'>,
  { isRepetition }: Exchange,
  request: Pick<LedgerTransaction, 'transactionId' | 'investorId' | 'requestedMinor' | 'receiptId'>,
): Promise<boolean> {
  if (!isRepetition) return false
  const { transactionId, investorId, requestedMinor, receiptId } = request
  const { transaction } = await ledger.ask('transaction', { transactionId })
  return (
    transaction !== null &&
    transaction.investorId === investorId &&
    transaction.requestedMinor === requestedMinor &&
    transaction.receiptId === receiptId
  )
}
