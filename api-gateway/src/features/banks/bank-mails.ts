import { type BankAccount, maskNumber } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import type { Seal } from '../../platform/keys/seal.ts'
import { countCodeMail, type MailPool } from '../../platform/mail/code-mails.ts'
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

export interface BankOwner {
  userId: string
  email: string
}

interface CountedMail {
  user: BankOwner
  pool: MailPool
  nowMs: number
}

/** Counts a mail about the bank accounts of a user. Returns 0, or the seconds to wait. */
export function countBankMail(
  trx: DatabaseTransaction,
  { rateLimitScale: scale }: Pick<Dependencies, 'rateLimitScale'>,
  { user, pool, nowMs }: CountedMail,
): Promise<number> {
  return countCodeMail(trx, { address: user.email, pool, scale, nowMs })
}

/** Throws 429 with the time to wait, because a thief of a session could flood the mailbox. */
export function requireNoWait(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const wait = formatCounted(Math.ceil(waitSeconds / 60), 'minute', 'minutes')
  const message = `Several emails about your bank accounts were sent in the last hour. Please try again in ${wait}.`
  throw new HttpFailure(429, 'TOO_MANY_REQUESTS', message, { retryAfterSeconds: waitSeconds })
}
