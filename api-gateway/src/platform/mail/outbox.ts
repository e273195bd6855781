import { createId } from '@cairn/ledger-contracts'
import { getCurrentTraceparent } from '@cairn/service-kit/tracing/tracer'
import type { Database } from '../database/database.ts'
import { getCurrentRequestId } from '../http/request-scope.ts'
import type { Seal } from '../keys/seal.ts'

/**
 * The mails that the gateway queues itself. The content of a `template-test` contains the kind of
 * mail that is tested.
 */
export type OutboxKind =
  | 'verification-code'
  | 'password-reset'
  | 'password-changed'
  | 'password-expiring'
  | 'email-change-code'
  | 'email-changed'
  | 'email-in-use'
  | 'name-reviewed'
  | 'mfa-on'
  | 'mfa-off'
  | 'mfa-paused'
  | 'recovery-codes-renewed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'new-login'
  | 'lockout'
  | 'bank-code'
  | 'bank-confirmed'
  | 'bank-removed'
  | 'bank-default'
  | 'account-closed'
  | 'admin-new-user'
  | 'admin-invited'
  | 'change-requested'
  | 'admin-suspended'
  | 'template-test'

/**
 * Queues a mail. Call it in the transaction that causes the mail, so that the mail and its cause
 * are committed together or not at all.
 */
export async function queueMail(
  trx: Database,
  seal: Seal,
  mail: { kind: OutboxKind; userId: string; content: Record<string, string>; nowMs: number },
): Promise<void> {
  await trx
    .insertInto('identity.outbox')
    .values({
      id: createId(mail.nowMs),
      kind: mail.kind,
      user_id: mail.userId,
      sealed: seal.seal(mail.content),
      request_id: getCurrentRequestId(),
      traceparent: getCurrentTraceparent(),
      created_at: new Date(mail.nowMs),
    })
    .execute()
}

/** The number of days for which a mail is kept after it was queued, if it was sent or discarded. */
const KEPT_DAYS = 30
const DAY_MS = 86_400_000

/** Deletes the oldest mails that are no longer needed, at most `limit`. Returns their number. */
export async function pruneOutbox(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const oldest = db
    .selectFrom('identity.outbox')
    .select('id')
    .where('sealed', 'is', null)
    .where('created_at', '<', new Date(nowMs - KEPT_DAYS * DAY_MS))
    .orderBy('created_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('identity.outbox')
    .where('id', 'in', oldest)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
