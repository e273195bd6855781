import type { Dependencies } from '../../platform/dependencies.ts'
import type { Policy } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { clearMfaStateIfNoFactor, findTotpSince } from '../mfa/index.ts'
import { startCredentialHold } from '../passwords/index.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { lockUser } from '../users/index.ts'
import { deletePasskeyRow, listPasskeyRows } from './passkey.ts'

/**
 * Removes a passkey. Throws if the settings require a passkey or a second factor and the removal
 * would leave an administrator without it.
 */
export async function deletePasskey(
  deps: Pick<Dependencies, 'db' | 'seal' | 'settings'>,
  exchange: Exchange,
  { id, policy }: { id: string; policy: Policy },
): Promise<void> {
  const { userId, role, sessionHash } = getCaller(exchange)
  const { nowMs } = exchange
  await deps.db.transaction().execute(async (trx) => {
    // Without the lock, two concurrent removals could each count the passkey that the other one
    // removes.
    await lockUser(trx, userId)
    const { name } = await deletePasskeyRow(trx, { userId, id })
    const isLast = (await listPasskeyRows(trx, userId)).length === 0
    const isLastFactor = isLast && (await findTotpSince(trx, userId)) === null
    const isNeeded = policy.isPasskeyRequired ? isLast : policy.isAdminMfaRequired && isLastFactor
    if (role === 'admin' && isNeeded) {
      const message =
        'This site requires a passkey for administrators: add another passkey before you remove this passkey'
      throw new HttpFailure(409, 'PASSKEY_NEEDED', message)
    }
    await clearMfaStateIfNoFactor(trx, userId)
    await closeSessionsOf(trx, userId, { except: sessionHash })
    await startCredentialHold(trx, deps, { user: { id: userId, role }, nowMs })
    const content = { passkey: name }
    await queueMail(trx, deps.seal, { kind: 'passkey-removed', userId, content, nowMs })
  })
}
