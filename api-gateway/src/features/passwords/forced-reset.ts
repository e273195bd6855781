import { forcePasswordReset } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { callerOf, type Route, route } from '../../platform/http/registry.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { getUserRow, requireControlOf } from '../users/index.ts'
import { mailResetLink } from './password-reset.ts'

/**
 * Ends the sessions of a user and mails a link. The user cannot log in until the new password is
 * set.
 */
export function createForcedResetRoute(deps: Pick<Dependencies, 'db' | 'seal'>): Route {
  return route(
    forcePasswordReset,
    { rate: 'write', owner: 'any', audit: 'user.force-reset' },
    async ({ params }, exchange) => {
      const { nowMs } = exchange
      const user = await getUserRow(deps.db, params.id)
      requireControlOf(user, callerOf(exchange))
      await deps.db.transaction().execute(async (trx) => {
        await trx
          .updateTable('identity.user')
          .set({ is_reset_required: true, updated_at: new Date(nowMs) })
          .where('id', '=', user.id)
          .execute()
        await closeSessionsOf(trx, user.id)
        await mailResetLink(trx, deps, { userId: user.id, nowMs })
      })
      exchange.note({ subject: user.id })
      return null
    },
  )
}
