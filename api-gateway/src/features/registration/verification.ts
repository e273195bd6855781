import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { createWrongCredentialsFailure } from '../passwords/index.ts'
import { requireSameCredentials } from '../sessions/index.ts'
import { activateInvestor, lockUser } from '../users/index.ts'
import { type IssuedCode, issueCode, rebindCode, redeemEmailedCode } from './email-codes.ts'

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
    // First, as in a sign-up and a new code, which lock the user before the codes.
    await lockUser(trx, userId)
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
 * Mails a new code for the registration with this cookie, unless the limit of codes is reached.
 * Returns null if there is no such registration, or if another sign-up with the address has replaced
 * it. A code for a replaced registration would verify the mailbox for the password of the other
 * sign-up.
 */
export async function resendCodeTo(
  deps: Dependencies,
  request: { pendingHash: Buffer; nowMs: number },
): Promise<IssuedCode | null> {
  return await deps.db.transaction().execute(async (trx) => {
    const pending = await trx
      .selectFrom('identity.email_code as code')
      .innerJoin('identity.user as user', 'user.id', 'code.user_id')
      .select('user.id')
      .where('code.pending_hash', '=', request.pendingHash)
      .where('user.email_verified_at', 'is', null)
      .forUpdate('user')
      .executeTakeFirst()
    // The newest code is read after the user is locked: a concurrent sign-up may issue one before.
    if (pending === undefined || !(await isNewestCode(trx, pending.id, request))) return null
    return await issueCode(trx, deps, { ...request, userId: pending.id, isSpaced: true })
  })
}

/** Returns true if the newest code of the user was requested with this cookie. */
async function isNewestCode(
  trx: DatabaseTransaction,
  userId: string,
  { pendingHash }: { pendingHash: Buffer },
): Promise<boolean> {
  const newest = await trx
    .selectFrom('identity.email_code')
    .select('pending_hash')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.pending_hash.equals(pendingHash) ?? false
}

/**
 * Mails a new code after a correct password for an unverified account. If the previous code is too
 * recent, makes the previous code valid in this browser instead. Throws if another sign-up has
 * replaced the password since it was checked: this browser would verify the other password.
 */
export async function sendCodeAtLogin(
  deps: Dependencies,
  request: { userId: string; passwordChangedAtMs: number; pendingHash: Buffer; nowMs: number },
): Promise<number> {
  return await deps.db.transaction().execute(async (trx) => {
    await requireSameCredentials(trx, request, createWrongCredentialsFailure)
    const code = await issueCode(trx, deps, { ...request, isSpaced: true })
    if (!code.isSent) await rebindCode(trx, request)
    return code.retryAfterSeconds
  })
}
