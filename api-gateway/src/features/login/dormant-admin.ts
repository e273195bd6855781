import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { countCodeMail } from '../../platform/mail/code-mails.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { mailResetLink } from '../passwords/index.ts'
import type { UserRow } from '../users/index.ts'

const DORMANT_DAYS = 90
const DAY_MS = 86_400_000

/**
 * Requires a dormant administrator without a second factor to confirm the mailbox first. Otherwise
 * a thief with an old password could enrol a second factor.
 */
export async function requireMailboxProofIfDormant(
  deps: Pick<Dependencies, 'db' | 'rateLimitScale' | 'seal' | 'settings'>,
  { user, nowMs }: { user: UserRow; nowMs: number },
): Promise<void> {
  if (user.role !== 'admin' || user.mfa_enabled_at !== null) return
  const { isAdminMfaRequired, isPasskeyRequired } = await readPolicy(deps.settings)
  if (!isAdminMfaRequired && !isPasskeyRequired) return
  const seenMs = Math.max(user.last_login_at?.getTime() ?? 0, user.password_changed_at.getTime())
  if (nowMs - seenMs < DORMANT_DAYS * DAY_MS) return
  await deps.db.transaction().execute(async (trx) => {
    const scale = deps.rateLimitScale
    const mail = { address: user.email, pool: 'reset-link', scale, nowMs } as const
    if ((await countCodeMail(trx, mail)) > 0) return
    await mailResetLink(trx, deps, { userId: user.id, nowMs })
  })
  const message =
    'You have not logged in for a long time. We have sent you a link: set a new password to continue.'
  throw new HttpFailure(403, 'PASSWORD_RESET_REQUIRED', message)
}
