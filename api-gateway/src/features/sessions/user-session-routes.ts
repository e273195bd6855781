import {
  endUserSession,
  exportUserSessions,
  listUserSessions,
  revokeUserSessions,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { getUserRow, requireMayControl } from '../users/index.ts'
import { endOneSession, listSessions, SESSION_COLUMNS } from './session-list.ts'
import { closeSessionsOf } from './sessions.ts'

/** Creates the routes for the sessions of one user, for administrators. */
export function createUserSessionRoutes(deps: Pick<Dependencies, 'db'>): readonly Route[] {
  return [
    ...createListRoutes({
      list: listUserSessions,
      read: async ({ params }, exchange) => {
        const user = await getUserRow(deps.db, params.id)
        const { id } = user
        requireMayControl(user, getCaller(exchange))
        const { sessionHash } = getCaller(exchange)
        const { nowMs } = exchange
        return { sessions: [...(await listSessions(deps.db, { userId: id, sessionHash, nowMs }))] }
      },
      csv: {
        endpoint: exportUserSessions,
        fileName: 'sessions.csv',
        audit: 'session.export',
        columns: SESSION_COLUMNS,
        toRequest: (request) => request,
        toPage: ({ sessions }) => toSinglePage(sessions),
      },
    }),
    declareRoute(
      endUserSession,
      { rate: 'write', owner: 'any', audit: 'user.end-session', needsFreshFactor: false },
      async ({ params }, exchange) => {
        requireMayControl(await getUserRow(deps.db, params.id), getCaller(exchange))
        await endOneSession(deps.db, { userId: params.id, id: params.sessionId })
        exchange.note({ subject: params.id, session: params.sessionId })
        return null
      },
    ),
    declareRoute(
      revokeUserSessions,
      { rate: 'write', owner: 'any', audit: 'user.revoke-sessions', needsFreshFactor: false },
      async ({ params }, exchange) => {
        const user = await getUserRow(deps.db, params.id)
        const { id } = user
        requireMayControl(user, getCaller(exchange))
        await closeSessionsOf(deps.db, id)
        exchange.note({ subject: id })
        return null
      },
    ),
  ]
}
