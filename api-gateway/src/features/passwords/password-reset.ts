import type { ParsedRequestOf, resetPassword } from '@cairn/gateway-contracts'
import { OWNER, RESET_LINK_MINUTES } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { grantRoles } from '../../platform/access/granted-roles.ts'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure, HttpFailure } from '../../platform/http/failure.ts'
import { countCodeMail } from '../../platform/mail/code-mails.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { createAdminRow, getUserRow, lockUser, USER_COLUMNS } from '../users/index.ts'
import { findLink, issueLink, redeemLink, revokeLinks } from './link-tokens.ts'
import { resetAccountAttempts } from './login-attempts.ts'
import { hashNewPassword, setPassword } from './password-change.ts'

type Form = ParsedRequestOf<typeof resetPassword>['body']

/** Mails a link if a user with this address exists. Otherwise does nothing. */
export async function sendResetLink(
  deps: Pick<Dependencies, 'db' | 'rateLimitScale' | 'seal'>,
  request: { email: string; nowMs: number },
): Promise<void> {
  const { email, nowMs } = request
  await deps.db.transaction().execute(async (trx) => {
    const mail = { address: email, pool: 'reset-link', scale: deps.rateLimitScale, nowMs } as const
    const waitSeconds = await countCodeMail(trx, mail)
    if (waitSeconds > 0) return
    const user = await trx
      .selectFrom('identity.user')
      .select('id')
      .where('email', '=', email)
      .where('deleted_at', 'is', null)
      .where('email_verified_at', 'is not', null)
      .where('status', 'in', ['pending', 'active'])
      .executeTakeFirst()
    if (user !== undefined) await mailResetLink(trx, deps, { userId: user.id, nowMs })
  })
}

export async function mailResetLink(
  trx: Database,
  deps: Pick<Dependencies, 'seal'>,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  const { path } = await issueLink(trx, { purpose: 'reset', userId, nowMs })
  const content = { path, minutes: String(RESET_LINK_MINUTES) }
  await queueMail(trx, deps.seal, { kind: 'password-reset', userId, content, nowMs })
}

/** Sets the password of the link's user, and returns the user's id. */
export async function resetPasswordByLink(
  deps: Pick<Dependencies, 'db' | 'seal' | 'settings'>,
  form: Form,
  nowMs: number,
): Promise<{ userId: string }> {
  const link = await findLink(deps.db, { token: form.token, nowMs })
  if (link.userId === null) return await createFirstAdmin(deps, form, nowMs)
  const user = await getUserRow(deps.db, link.userId)
  if (user.status !== 'active' && user.status !== 'pending') {
    throw new HttpFailure(403, 'ACCOUNT_CLOSED', 'This account is not active')
  }
  const given = { field: 'password', password: form.password }
  const passwordHash = await hashNewPassword(deps, user, given)
  await deps.db.transaction().execute(async (trx) => {
    // A password change locks the user before it revokes the links. In the opposite order, the two
    // could wait for each other.
    await lockUser(trx, user.id)
    await redeemLink(trx, { token: form.token, nowMs })
    await setPassword(trx, deps, { user, passwordHash, nowMs, keptSession: null })
    // The use of the link proves access to the mailbox. The password reset therefore ends a lock
    // that wrong passwords of other people caused.
    await resetAccountAttempts(trx, { userId: user.id, email: user.email })
  })
  return { userId: user.id }
}

/**
 * Creates the first administrator by the set-up link. The server prints this link while there is no
 * administrator.
 */
async function createFirstAdmin(
  deps: Pick<Dependencies, 'db' | 'settings'>,
  form: Form,
  nowMs: number,
): Promise<{ userId: string }> {
  const { email, name } = form
  if (email === undefined) throw createInvalidFieldFailure('email', 'Email is required')
  if (name === null) throw createInvalidFieldFailure('name', 'Name is required')
  const person = { name, email, role: 'admin', mfa_enabled_at: null } as const
  const given = { field: 'password', password: form.password }
  const passwordHash = await hashNewPassword(deps, person, given)
  const userId = createId(nowMs)
  await deps.db.transaction().execute(async (trx) => {
    await redeemLink(trx, { token: form.token, nowMs })
    if (await hasAdmin(trx))
      throw createInvalidFieldFailure('email', 'There is an administrator already')
    await requireUnknownEmail(trx, email)
    const row = createAdminRow({ id: userId, email, name, passwordHash, nowMs })
    await trx.insertInto('identity.user').values(row).execute()
    await grantRoles(trx, { userId, roles: OWNER, grantedBy: null, nowMs })
    await revokeLinks(trx, null)
  })
  return { userId }
}

export async function hasAdmin(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('identity.user')
    .select('id')
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function requireUnknownEmail(trx: DatabaseTransaction, email: string): Promise<void> {
  const row = await trx
    .selectFrom('identity.user')
    .select(USER_COLUMNS)
    .where('email', '=', email)
    .executeTakeFirst()
  if (row !== undefined)
    throw createInvalidFieldFailure('email', 'This email address is already registered')
}
