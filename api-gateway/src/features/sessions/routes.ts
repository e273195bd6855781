import {
  endOtherSessions,
  endSession,
  getSessionLife,
  keepSession,
  listSessions as listing,
  type SessionLife,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { notSignedIn } from '../../platform/http/failure.ts'
import { callerOf, type Exchange, type Route, route } from '../../platform/http/registry.ts'
import { endOneSession, listSessions } from './session-list.ts'
import { closeSessionsOf, keepSession as keep, readSessionLife } from './sessions.ts'

/** The caller's own sessions. */
export function createSessionRoutes(deps: Dependencies): readonly Route[] {
  return [
    route(listing, { rate: 'read', owner: 'own', audit: null }, async (_request, exchange) => {
      const { userId, sessionHash } = callerOf(exchange)
      const { nowMs } = exchange
      return { sessions: [...(await listSessions(deps.db, { userId, sessionHash, nowMs }))] }
    }),
    route(
      getSessionLife,
      { rate: 'read', owner: 'own', audit: null, isNoUse: true },
      async (_request, exchange) => ({ session: await lifeOf(deps, exchange) }),
    ),
    route(keepSession, { rate: 'write', owner: 'own', audit: null }, async (_request, exchange) => {
      const { sessionHash } = callerOf(exchange)
      await keep(deps.db, { sessionHash, nowMs: exchange.nowMs })
      return { session: await lifeOf(deps, exchange) }
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

async function lifeOf({ db }: Dependencies, exchange: Exchange): Promise<SessionLife> {
  const { sessionHash } = callerOf(exchange)
  const life = await readSessionLife(db, { sessionHash, nowMs: exchange.nowMs })
  // The session was ended by another request a moment ago.
  if (life === null) throw notSignedIn()
  return life
}
