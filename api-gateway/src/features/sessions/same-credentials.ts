import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { createNotSignedInFailure, type HttpFailure } from '../../platform/http/failure.ts'

/**
 * Throws if the password has changed, or must be reset, since the user was authenticated. Call this
 * function in the transaction that stores what the authentication permits: the lock makes a
 * concurrent change wait, and that change then ends the new session.
 */
export async function requireSameCredentials(
  trx: DatabaseTransaction,
  authenticated: { userId: string; passwordChangedAtMs: number },
  createFailure: () => HttpFailure = createNotSignedInFailure,
): Promise<void> {
  const { password_changed_at, is_reset_required } = await trx
    .selectFrom('identity.user')
    .select(['password_changed_at', 'is_reset_required'])
    .where('id', '=', authenticated.userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const isSame = password_changed_at.getTime() === authenticated.passwordChangedAtMs
  if (!isSame || is_reset_required) throw createFailure()
}
