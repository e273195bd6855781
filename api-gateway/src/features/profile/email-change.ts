import { randomInt } from 'node:crypto'
import { EMAIL_CHANGE_DIGITS, EMAIL_CHANGE_MINUTES } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { sql } from 'kysely'
import {
  type DatabaseTransaction,
  findViolatedConstraint,
} from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  createInvalidFieldFailure,
  createTooManyRequestsFailure,
  HttpFailure,
} from '../../platform/http/failure.ts'
import { countCodeMail } from '../../platform/mail/code-mails.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { revokeLinks, startCredentialHold } from '../passwords/index.ts'
import { closeSessionsOf, requireSameCredentials } from '../sessions/index.ts'
import type { UserRow } from '../users/index.ts'

const TRIES_PER_CODE = 5

/**
 * Stores the new address as pending and mails a code to it. If the address belongs to another
 * account, the caller gets the usual answer, and the owner of that account gets a mail without a
 * code.
 */
export async function requestEmailChange(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'rateLimitScale' | 'seal' | 'sessionKeys'>,
  change: { user: UserRow; email: string; nowMs: number },
): Promise<void> {
  const { user, email, nowMs } = change
  const scale = deps.rateLimitScale
  // Mails are counted per address and also per user, so that a user cannot test many addresses.
  for (const address of [`changes of ${user.id}`, email]) {
    const waitSeconds = await countCodeMail(trx, { address, scale, nowMs })
    if (waitSeconds > 0) throw createTooManyRequestsFailure(waitSeconds)
  }
  const owner = await trx
    .selectFrom('identity.user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  const code = String(randomInt(10 ** EMAIL_CHANGE_DIGITS)).padStart(EMAIL_CHANGE_DIGITS, '0')
  const fresh = {
    code_hmac: deps.sessionKeys.sign(formatTextToSign({ userId: user.id, email, code })),
    tries: 0,
    created_at: new Date(nowMs),
    expires_at: new Date(nowMs + EMAIL_CHANGE_MINUTES * 60_000),
  }
  await trx
    .insertInto('identity.email_change')
    .values({ user_id: user.id, ...fresh })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
    .execute()
  await setPendingEmail(trx, user.id, email)
  if (owner !== undefined) {
    const { id: userId } = owner
    await queueMail(trx, deps.seal, { kind: 'email-in-use', userId, content: {}, nowMs })
    return
  }
  const content = { to: email, code, minutes: String(EMAIL_CHANGE_MINUTES) }
  await queueMail(trx, deps.seal, { kind: 'email-change-code', userId: user.id, content, nowMs })
}

/** Returns true if a code can still confirm the pending address. */
export async function hasValidCode(
  trx: DatabaseTransaction,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<boolean> {
  const row = await trx
    .selectFrom('identity.email_change')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('tries', '<', TRIES_PER_CODE)
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst()
  return row !== undefined
}

/** Withdraws the pending address. */
export async function cancelEmailChange(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('identity.email_change').where('user_id', '=', userId).execute()
  await setPendingEmail(trx, userId, null)
}

/**
 * Returns the pending address if the code is correct. The attempt is counted before the code is
 * compared.
 */
export async function redeemEmailCode(
  deps: Pick<Dependencies, 'db' | 'sessionKeys'>,
  attempt: { user: UserRow; code: string; nowMs: number },
): Promise<string> {
  const { user, code, nowMs } = attempt
  const email = user.pending_email
  if (email === null) throw createCodeExpiredFailure()
  const row = await deps.db
    .updateTable('identity.email_change')
    .set({ tries: sql`tries + 1` })
    .where('user_id', '=', user.id)
    .where('tries', '<', TRIES_PER_CODE)
    .where('expires_at', '>', new Date(nowMs))
    .returning(['code_hmac', 'tries'])
    .executeTakeFirst()
  if (row === undefined) throw createCodeExpiredFailure()
  if (deps.sessionKeys.verify(formatTextToSign({ userId: user.id, email, code }), row.code_hmac))
    return email
  const left = TRIES_PER_CODE - row.tries
  if (left === 0) throw createCodeExpiredFailure()
  const tries = formatCounted(left, 'try', 'tries')
  throw new HttpFailure(400, 'CODE_WRONG', `That code is not right. You have ${tries} left.`)
}

/**
 * Changes the address. Mails the old address, so that the user notices a change by another person.
 */
export async function changeEmail(
  deps: Pick<Dependencies, 'db' | 'seal' | 'settings'>,
  change: {
    user: UserRow
    passwordChangedAtMs: number
    email: string
    nowMs: number
    keptSession: string
  },
): Promise<void> {
  const { user, passwordChangedAtMs, email, nowMs, keptSession } = change
  try {
    await deps.db.transaction().execute(async (trx) => {
      await requireSameCredentials(trx, { userId: user.id, passwordChangedAtMs })
      const taken = await trx
        .deleteFrom('identity.email_change')
        .where('user_id', '=', user.id)
        .returning('user_id')
        .executeTakeFirst()
      if (taken === undefined) throw createCodeExpiredFailure()
      const updated_at = new Date(nowMs)
      await trx
        .updateTable('identity.user')
        .set({ email, pending_email: null, email_verified_at: updated_at, updated_at })
        .where('id', '=', user.id)
        .execute()
      await closeSessionsOf(trx, user.id, { except: keptSession })
      // A link that was mailed to the old address must not set a new password.
      await revokeLinks(trx, user.id)
      await startCredentialHold(trx, deps, { user, nowMs })
      const content = { to: user.email, email }
      await queueMail(trx, deps.seal, { kind: 'email-changed', userId: user.id, content, nowMs })
    })
  } catch (error) {
    if (findViolatedConstraint(error) === 'user_email_key') throw createEmailTakenFailure()
    throw error
  }
}

async function setPendingEmail(
  trx: DatabaseTransaction,
  userId: string,
  email: string | null,
): Promise<void> {
  await trx
    .updateTable('identity.user')
    .set({ pending_email: email })
    .where('id', '=', userId)
    .execute()
}

function formatTextToSign(about: { userId: string; email: string; code: string }): string {
  const { userId, email, code } = about
  return `email-change!${userId}!${email}!${code}`
}

function createEmailTakenFailure(): HttpFailure {
  return createInvalidFieldFailure('email', 'This email address is already registered')
}

function createCodeExpiredFailure(): HttpFailure {
  const message = 'This code is no longer valid. To get a new code, save the address again.'
  return new HttpFailure(400, 'CODE_EXPIRED', message)
}
