import { changeUserStatus } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { callerOf, type Route, route } from '../../platform/http/registry.ts'
import { presentUser } from '../users/index.ts'
import { createInvitationRoute } from './admin-invitation.ts'
import { changeStatus } from './status.ts'

/** Invitations of administrators and changes of account status. */
export function userStatusRoutes(deps: Dependencies): readonly Route[] {
  return [
    createInvitationRoute(deps),
    route(
      changeUserStatus,
      { rate: 'write', owner: 'any', audit: 'user.change-status' },
      async ({ params, body }, exchange) => {
        const { requestId, nowMs, note } = exchange
        const row = await changeStatus(deps, {
          userId: params.id,
          verb: body.status,
          admin: callerOf(exchange),
          requestId,
          nowMs,
        })
        note({ subject: params.id, status: row.status })
        return { user: await presentUser(deps, row) }
      },
    ),
  ]
}
