import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Exchange } from '../http/registry.ts'

/**
 * Returns true if an earlier request with the same key and content has recorded its transaction for
 * this investor. A handler asks this before it checks what can change between two requests, such as
 * a bank account. If such a check refused the repetition of a recorded request, its sender would
 * believe that nothing was recorded, and would request the money again with another key.
 */
export async function isRecorded(
  ledger: Pick<LedgerClient, 'ask'>,
  { isRepetition, subjectId: transactionId }: Exchange,
  investorId: string,
): Promise<boolean> {
  if (!isRepetition) return false
  const { transaction } = await ledger.ask('transaction', { transactionId })
  return transaction?.investorId === investorId
}
