import type { LedgerClient } from '@cairn/ledger-contracts'

type Asking = { ledger: LedgerClient }

/**
 * Returns true if an administrator requested the withdrawal. Administrators request withdrawals
 * only for investors whose account is not active.
 */
export async function isOperatorPayout(
  { ledger }: Asking,
  { transactionId }: { transactionId?: unknown },
): Promise<boolean> {
  const { transaction } = await ledger.ask('transaction', { transactionId: String(transactionId) })
  return transaction?.requestedBy.startsWith('admin:') === true
}

/**
 * Returns the sentence about a wallet correction. The sentence names two administrators, unless the
 * proposer also applied the correction, which is allowed below the approval threshold.
 */
export async function describeCorrection(
  { ledger }: Asking,
  transactionId: unknown,
): Promise<string> {
  const { transaction } = await ledger.ask('transaction', { transactionId: String(transactionId) })
  const areTwo = transaction !== null && transaction.requestedBy !== transaction.decidedBy
  return `${areTwo ? 'Two administrators have' : 'The platform has'} corrected your wallet.`
}
