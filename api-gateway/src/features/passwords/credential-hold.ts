import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { formatSiteTime } from '../../platform/site-format.ts'

/**
 * Throws during the credential hold, in which withdrawals pause after a change of password, email
 * or second factor.
 */
export async function requireNoCredentialHold(
  db: Database,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  const { credential_hold_until: until } = await db
    .selectFrom('identity.user')
    .select('credential_hold_until')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (until === null || until.getTime() <= nowMs) return
  const end = formatSiteTime(until)
  const message = `Withdrawals are paused until ${end} because your password, email or second factor was changed.`
  const details = { until: until.toISOString() }
  throw new HttpFailure(403, 'CREDENTIAL_HOLD', message, { details })
}
