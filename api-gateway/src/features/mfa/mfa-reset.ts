import { resetUserMfa } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { callerOf, type Route, route } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { startCredentialHold } from '../passwords/index.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { getUserRow, requireControlOf } from '../users/index.ts'
import { removeFactors } from './mfa.ts'

/**
 * Removes the second factor of a user who lost the phone and the recovery codes. The audit log
 * records how the identity was checked. The user still needs the password, withdrawals pause, and a
 * mail informs the user.
 */
export function createMfaResetRoute(deps: Pick<Dependencies, 'db' | 'seal' | 'settings'>): Route {
  const options = { rate: 'write', owner: 'any', audit: 'user.reset-mfa' } as const
  return route(
    resetUserMfa,
    { ...options, needsFreshFactor: true },
    async ({ params, body }, exchange) => {
      const { nowMs } = exchange
      const user = await getUserRow(deps.db, params.id)
      requireControlOf(user, callerOf(exchange))
      if (user.id === callerOf(exchange).userId) {
        const message = 'Change your own second factor in your account settings'
        throw new HttpFailure(409, 'MFA_OWN', message)
      }
      if (user.mfa_enabled_at === null) {
        throw new HttpFailure(409, 'MFA_NOT_ON', 'Two-factor authentication is not on')
      }
      await deps.db.transaction().execute(async (trx) => {
        await removeFactors(trx, user.id)
        await closeSessionsOf(trx, user.id)
        await startCredentialHold(trx, deps, { user, nowMs })
        await queueMail(trx, deps.seal, { kind: 'mfa-off', userId: user.id, content: {}, nowMs })
      })
      exchange.note({ subject: user.id, proof: body.proof })
      return null
    },
  )
}
