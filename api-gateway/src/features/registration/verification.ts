import { sql } from 'kysely'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { activateInvestor } from '../users/index.ts'
import { issueCode, rebindCode, redeemEmailedCode } from './email-codes.ts'

/**
 * Verifies the mailbox with the code, and activates the account if the settings say so. The user is
 * not logged in.
 */
export async function verifyMailbox(
  deps: Dependencies,
  attempt: { pendingHash: Buffer; code: string; nowMs: number },
): Promise<{ email: string; status: 'pending' | 'active'; activationError: unknown }> {
  const { nowMs } = attempt
  const { codeId, userId } = await redeemEmailedCode(deps.db, deps, attempt)
  const now = new Date(nowMs)
  const { security } = await deps.settings.read()
  const user = await deps.db.transaction().execute(async (trx) => {
    const closed = await trx
      .updateTable('identity.email_code')
      .set({ closed_at: now })
      .where('id', '=', codeId)
      .where('closed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (closed === undefined) {
      throw new HttpFailure(400, 'CODE_EXPIRED', 'This code was already used.')
    }
    const verified = await trx
      .updateTable('identity.user')
      .set({
        email_verified_at: now,
        updated_at: now,
        // If the settings do not approve accounts automatically, an administrator approves the
        // user.
        activation_wanted_at: sql`case when status = 'pending' and ${security.autoApproveUsers}::boolean
          then ${now}::timestamptz end`,
      })
      .where('id', '=', userId)
      .returning(['email', 'referrer_id', 'activation_wanted_at'])
      .executeTakeFirstOrThrow()
    await queueMail(trx, deps.seal, { kind: 'admin-new-user', userId, content: {}, nowMs })
    return verified
  })
  if (user.activation_wanted_at === null) {
    return { email: user.email, status: 'pending', activationError: null }
  }
  try {
    await activateInvestor(deps, { userId, referrerId: user.referrer_id, nowMs })
    return { email: user.email, status: 'active', activationError: null }
  } catch (activationError) {
    // The mailbox stays verified. The worker or the next login activates the account later.
    return { email: user.email, status: 'pending', activationError }
  }
}

/**
 * Mails a new code for the registration with this cookie. Returns the seconds until another code
 * may be requested; null if there is no such registration.
 */
export async function resendCodeTo(
  deps: Dependencies,
  request: { pendingHash: Buffer; nowMs: number },
): Promise<number | null> {
  const pending = await deps.db
    .selectFrom('identity.email_code as code')
    .innerJoin('identity.user as user', 'user.id', 'code.user_id')
    .select('user.id')
    .where('code.pending_hash', '=', request.pendingHash)
    .where('user.email_verified_at', 'is', null)
    .executeTakeFirst()
  if (pending === undefined) return null
  const code = await deps.db
    .transaction()
    .execute((trx) => issueCode(trx, deps, { ...request, userId: pending.id, isSpaced: true }))
  return code.retryAfterSeconds
}

/**
 * Mails a new code after a correct password for an unverified account. If the previous code is too
 * recent, makes the previous code valid in this browser instead.
 */
export async function sendCodeAtLogin(
  deps: Dependencies,
  request: { userId: string; pendingHash: Buffer; nowMs: number },
): Promise<number> {
  return await deps.db.transaction().execute(async (trx) => {
    const code = await issueCode(trx, deps, { ...request, isSpaced: true })
    if (!code.isSent) await rebindCode(trx, request)
    return code.retryAfterSeconds
  })
}
