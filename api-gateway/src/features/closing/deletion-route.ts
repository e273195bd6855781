import { deleteUser as endpoint } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { callerOf, type Route, route } from '../../platform/http/registry.ts'
import { deleteUser } from './deletion.ts'

/** Closes the account of another user. */
export function createDeletionRoute(deps: Pick<Dependencies, 'db' | 'ledger' | 'objects'>): Route {
  return route(
    endpoint,
    { rate: 'write', owner: 'any', audit: 'user.delete' },
    async ({ params }, exchange) => {
      const { requestId, nowMs, note } = exchange
      const admin = callerOf(exchange)
      await deleteUser(deps, { userId: params.id, admin, requestId, nowMs })
      note({ subject: params.id })
      return null
    },
  )
}
