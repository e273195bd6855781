import { type BankAccount, maskNumber } from '@cairn/gateway-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Seal } from '../../platform/keys/seal.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { formatSiteTime } from '../../platform/site-format.ts'

/**
 * Queues the mail about a changed bank account. Its owner learns of a change that another person
 * makes. The number is masked, because mailboxes are read by more than their owners.
 */
export async function mailBankChange(
  trx: DatabaseTransaction,
  seal: Seal,
  change: {
    kind: 'bank-confirmed' | 'bank-removed' | 'bank-default'
    userId: string
    account: BankAccount
    nowMs: number
  },
): Promise<void> {
  const { kind, userId, account, nowMs } = change
  const bank = { bankName: account.bankName, accountNumber: maskNumber(account.accountNumber) }
  const { status, usableFrom } = account
  // An empty line is left out: the account can be used at once.
  const from = status === 'cooling' && usableFrom !== null ? formatSiteTime(usableFrom) : ''
  const content = kind === 'bank-confirmed' ? { ...bank, usableFrom: from } : bank
  await queueMail(trx, seal, { kind, userId, content, nowMs })
}
