import { deleteUser as endpoint } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import {
  isChangeNeeded,
  type RequestDependencies,
  requestChange,
  syncApprovers,
} from '../change-requests/index.ts'
import { getUserRow, requireAdminsLeft, requireMayControl, type UserRow } from '../users/index.ts'
import { closeAndEraseAccount, deleteAdmin } from './deletion.ts'
import { createDeletionChange } from './deletion-change.ts'

type DeletionDependencies = RequestDependencies & Pick<Dependencies, 'clock' | 'objects'>

/** Creates the route that closes the account of another user. */
export function createDeletionRoute(deps: DeletionDependencies): Route {
  return declareRoute(
    endpoint,
    { rate: 'write', owner: 'any', audit: 'user.delete' },
    async ({ params, body }, exchange) => {
      const { requestId, nowMs } = exchange
      const admin = getCaller(exchange)
      const { userId: adminId } = admin
      const user = await getUserRow(deps.db, params.id)
      requireMayControl(user, admin)
      if (user.id === adminId) {
        throw new HttpFailure(409, 'STATUS_CONFLICT', 'You cannot delete yourself')
      }
      if (user.role === 'admin') {
        await deleteOrRequest(deps, exchange, { user, reason: body.reason ?? null })
      } else {
        await closeAndEraseAccount(deps, { user, actor: `admin:${adminId}`, requestId, nowMs })
      }
      exchange.note({ subject: user.id })
      return null
    },
  )
}

async function deleteOrRequest(
  deps: DeletionDependencies,
  exchange: Exchange,
  { user: { id: userId, name }, reason }: { user: UserRow; reason: string | null },
): Promise<void> {
  const definition = createDeletionChange(deps)
  const change = { userId, adminId: getCaller(exchange).userId, nowMs: exchange.nowMs }
  if (!(await isChangeNeeded(deps, definition))) {
    await deps.db.transaction().execute((trx) => deleteAdmin(trx, deps, change))
    await syncApprovers(deps)
    return
  }
  await deps.db.transaction().execute((trx) => requireAdminsLeft(trx, deps, change))
  const payload = { userId, name }
  const proposal = { payload, reason, fields: [], errors: 'list' } as const
  throw await requestChange(deps, exchange, { definition, proposal })
}
