import { changeUserStatus } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { isChangeNeeded, requestChange, syncApprovers } from '../change-requests/index.ts'
import {
  getUserRow,
  presentUser,
  requireAdminsLeft,
  requireMayControl,
  type UserRow,
} from '../users/index.ts'
import { createInvitationRoute } from './admin-invitation.ts'
import {
  requireAllowedTransition,
  requireSeenName,
  type StatusVerb,
  setAdminStatus,
  setInvestorStatus,
  TARGETS,
} from './status.ts'
import { createStatusChange } from './status-change.ts'

interface StatusRequest {
  user: UserRow
  verb: StatusVerb
  reason: string | null
}

/** Creates the routes that invite administrators and change the status of accounts. */
export function createUserStatusRoutes(deps: Dependencies): readonly Route[] {
  return [
    createInvitationRoute(deps),
    declareRoute(
      changeUserStatus,
      { rate: 'write', owner: 'any', audit: 'user.change-status' },
      async (
        { params, body: { status: verb, name: seenName = null, reason = null } },
        exchange,
      ) => {
        const { requestId, nowMs, note } = exchange
        const admin = getCaller(exchange)
        const user = await getUserRow(deps.db, params.id)
        requireMayControl(user, admin)
        const status = TARGETS[verb]
        if (user.role === 'user') {
          await setInvestorStatus(deps, { user, verb, admin, seenName, requestId, nowMs })
        } else if (user.status !== status) {
          requireAllowedTransition(user, verb, admin.userId)
          requireSeenName(user, seenName)
          await changeAdminStatus(deps, exchange, { user, verb, reason })
        }
        note({ subject: user.id, status })
        return { user: await presentUser(deps, { ...user, status }) }
      },
    ),
  ]
}

async function changeAdminStatus(
  deps: Dependencies,
  exchange: Exchange,
  { user, verb, reason }: StatusRequest,
): Promise<void> {
  const { userId: adminId } = getCaller(exchange)
  const change = { userId: user.id, verb, adminId, nowMs: exchange.nowMs }
  const definition = createStatusChange(deps)
  if (!(await isChangeNeeded(deps, definition))) {
    await deps.db.transaction().execute((trx) => setAdminStatus(trx, deps, change))
    await syncApprovers(deps)
    return
  }
  if (TARGETS[verb] !== 'active') {
    await deps.db.transaction().execute((trx) => requireAdminsLeft(trx, deps, change))
  }
  const payload = { userId: user.id, name: user.name, verb }
  const proposal = { payload, reason, fields: ['status'], errors: 'list' } as const
  throw await requestChange(deps, exchange, { definition, proposal })
}
