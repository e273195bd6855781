import { type BankAccount, maskNumber } from '@cairn/gateway-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Seal } from '../../platform/keys/seal.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { formatSiteTime } from '../../platform/site-format.ts'

/**
 * Queues the mail about a changed bank account, so that the owner notices a change by another
 * person. The account number is masked, because other people may also read the mailbox.
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
  // If the account can be used at once, `from` is empty. The mail then omits the line with the time
  // from which the account is usable.
  const from = status === 'cooling' && usableFrom !== null ? formatSiteTime(usableFrom) : ''
  const content = kind === 'bank-confirmed' ? { ...bank, usableFrom: from } : bank
  await queueMail(trx, seal, { kind, userId, content, nowMs })
}
