import { endOtherSessions, endSession, listSessions as listing } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { callerOf, type Route, route } from '../http/registry.ts'
import { endOneSession, listSessions } from './session-list.ts'
import { closeSessionsOf } from './sessions.ts'

/** The browsers in which one is signed in. */
export function sessionListRoutes(deps: Dependencies): readonly Route[] {
  return [
    route(listing, { rate: 'read', owner: 'own', audit: null }, async (_request, exchange) => {
      const { userId, sessionHash } = callerOf(exchange)
      const { nowMs } = exchange
      return { sessions: [...(await listSessions(deps.db, { userId, sessionHash, nowMs }))] }
    }),
    route(
      endOtherSessions,
      { rate: 'write', owner: 'own', audit: 'user.end-sessions' },
      async (_request, exchange) => {
        const { userId, sessionHash } = callerOf(exchange)
        await closeSessionsOf(deps.db, userId, { except: sessionHash })
        return null
      },
    ),
    route(
      endSession,
      { rate: 'write', owner: 'own', audit: 'user.end-session' },
      async ({ params }, exchange) => {
        await endOneSession(deps.db, { userId: callerOf(exchange).userId, id: params.id })
        exchange.note({ subject: params.id })
        return null
      },
    ),
  ]
}
