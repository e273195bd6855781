import {
  deleteUser as deletion,
  endUserSession,
  forcePasswordReset,
  listUserSessions,
  revokeUserSessions,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { callerOf, type Route, route } from '../http/registry.ts'
import { invitationRoute } from './admin-invitation.ts'
import { deleteUser } from './deletion.ts'
import { factorResetRoute } from './factor-reset.ts'
import { mailResetLink } from './password-reset.ts'
import { endOneSession, listSessions } from './session-list.ts'
import { closeSessionsOf } from './sessions.ts'
import { getUser } from './user.ts'

/** What an administrator may do to an account: never set its password. */
export function userAdminRoutes(deps: Dependencies): readonly Route[] {
  return [
    ...sessionRoutesOf(deps),
    resetRoute(deps),
    factorResetRoute(deps),
    invitationRoute(deps),
    route(
      deletion,
      { rate: 'write', owner: 'any', audit: 'user.delete' },
      async ({ params }, exchange) => {
        const { requestId, nowMs, note } = exchange
        const admin = callerOf(exchange)
        await deleteUser(deps, { userId: params.id, admin, requestId, nowMs })
        note({ subject: params.id })
        return null
      },
    ),
  ]
}

function sessionRoutesOf(deps: Dependencies): readonly Route[] {
  return [
    route(
      listUserSessions,
      { rate: 'read', owner: 'any', audit: null },
      async ({ params }, exchange) => {
        const { id } = await getUser(deps.db, params.id)
        const { sessionHash } = callerOf(exchange)
        const { nowMs } = exchange
        return { sessions: [...(await listSessions(deps.db, { userId: id, sessionHash, nowMs }))] }
      },
    ),
    route(
      endUserSession,
      { rate: 'write', owner: 'any', audit: 'user.end-session' },
      async ({ params }, exchange) => {
        await endOneSession(deps.db, { userId: params.id, id: params.sessionId })
        exchange.note({ subject: params.id, session: params.sessionId })
        return null
      },
    ),
    route(
      revokeUserSessions,
      { rate: 'write', owner: 'any', audit: 'user.revoke-sessions' },
      async ({ params }, exchange) => {
        const { id } = await getUser(deps.db, params.id)
        await closeSessionsOf(deps.db, id)
        exchange.note({ subject: id })
        return null
      },
    ),
  ]
}

/** The next password is set by whoever reads the mailbox, and by nobody before. */
function resetRoute(deps: Dependencies): Route {
  return route(
    forcePasswordReset,
    { rate: 'write', owner: 'any', audit: 'user.force-reset' },
    async ({ params }, exchange) => {
      const { nowMs } = exchange
      const user = await getUser(deps.db, params.id)
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
