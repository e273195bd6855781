import { randomInt } from 'node:crypto'
import { RESEND_SECONDS } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { getOwnBankAccount } from './bank-account.ts'
import { type BankOwner, countBankMail, mailBankChange } from './bank-mails.ts'

const CODE_MINUTES = 10
const TRIES_PER_CODE = 5
const HOUR_MS = 3_600_000

type CodeDependencies = Pick<Dependencies, 'rateLimitScale' | 'seal' | 'sessionKeys'>

/**
 * Mails the confirmation code, unless the previous code was sent too recently or the limit of codes
 * in an hour is reached. In that case `isSent` is false, `retryAfterSeconds` is the time to wait,
 * and the previous code stays valid.
 */
export async function sendBankCode(
  trx: DatabaseTransaction,
  deps: CodeDependencies,
  request: { user: BankOwner; accountId: string; bankName: string; nowMs: number },
): Promise<{ isSent: boolean; retryAfterSeconds: number }> {
  const { user, accountId, bankName, nowMs } = request
  const waitSeconds =
    (await countSecondsToWait(trx, request)) ||
    (await countBankMail(trx, deps, { user, pool: 'bank-code', nowMs }))
  if (waitSeconds > 0) return { isSent: false, retryAfterSeconds: waitSeconds }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const row = {
    code_hmac: deps.sessionKeys.sign(formatTextToSign(accountId, code)),
    tries: 0,
    expires_at: new Date(nowMs + CODE_MINUTES * 60_000),
    sent_at: new Date(nowMs),
  }
  await trx
    .insertInto('platform.bank_code')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
  const content = { code, minutes: String(CODE_MINUTES), bankName }
  await queueMail(trx, deps.seal, { kind: 'bank-code', userId: user.userId, content, nowMs })
  return { isSent: true, retryAfterSeconds: RESEND_SECONDS }
}

/** Locks the code of the account, so that of two requests at the same time one sends a mail. */
async function countSecondsToWait(
  trx: DatabaseTransaction,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<number> {
  const last = await trx
    .selectFrom('platform.bank_code')
    .select('sent_at')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (last === undefined) return 0
  const untilMs = last.sent_at.getTime() + RESEND_SECONDS * 1_000
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1_000))
}

/**
 * Confirms an account with the code and mails the owner. The confirmation starts the waiting
 * period. The attempt is counted before the code is compared.
 */
export async function confirmAccount(
  deps: Pick<Dependencies, 'db' | 'seal' | 'sessionKeys'>,
  request: { userId: string; accountId: string; code: string; coolingHours: number; nowMs: number },
): Promise<void> {
  const { userId, accountId, code, coolingHours, nowMs } = request
  const tried = await deps.db
    .updateTable('platform.bank_code')
    .set({ tries: sql`tries + 1` })
    .where('account_id', '=', accountId)
    .where('tries', '<', TRIES_PER_CODE)
    .where('expires_at', '>', new Date(nowMs))
    .returning(['code_hmac', 'tries'])
    .executeTakeFirst()
  if (tried === undefined) {
    const message = 'This code is no longer valid. Please ask for a new code.'
    throw new HttpFailure(400, 'CODE_EXPIRED', message)
  }
  if (!deps.sessionKeys.verify(formatTextToSign(accountId, code), tried.code_hmac)) {
    const left = TRIES_PER_CODE - tried.tries
    const message =
      left === 0
        ? 'Too many wrong codes. Please ask for a new code.'
        : `That code is not right. You have ${formatCounted(left, 'try', 'tries')} left.`
    throw new HttpFailure(400, 'CODE_WRONG', message)
  }
  await deps.db.transaction().execute(async (trx) => {
    const confirmed = await trx
      .updateTable('platform.bank_account')
      .set({ confirmed_at: new Date(nowMs), usable_from: new Date(nowMs + coolingHours * HOUR_MS) })
      .where('id', '=', accountId)
      .where('confirmed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    // A concurrent request with the same code has confirmed the account and sent the mail.
    if (confirmed === undefined) return
    const account = await getOwnBankAccount(trx, { userId, id: accountId, nowMs })
    await mailBankChange(trx, deps.seal, { kind: 'bank-confirmed', userId, account, nowMs })
  })
}

function formatTextToSign(accountId: string, code: string): string {
  return `bank-code!${accountId}!${code}`
}
