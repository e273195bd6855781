import {
  endOtherSessions,
  endSession,
  exportMySessions,
  getSessionLife,
  keepSession,
  listSessions as listing,
  type SessionLife,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotSignedInFailure } from '../../platform/http/failure.ts'
import { createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { endOneSession, listSessions, SESSION_COLUMNS } from './session-list.ts'
import { closeSessionsOf, readSessionLife, restartIdleTime } from './sessions.ts'

/** Creates the routes for the caller's own sessions. */
export function createSessionRoutes(deps: Dependencies): readonly Route[] {
  return [
    ...createListRoutes({
      list: listing,
      read: async (_request, exchange) => {
        const { userId, sessionHash } = getCaller(exchange)
        const { nowMs } = exchange
        return { sessions: [...(await listSessions(deps.db, { userId, sessionHash, nowMs }))] }
      },
      csv: {
        endpoint: exportMySessions,
        fileName: 'sessions.csv',
        audit: null,
        columns: SESSION_COLUMNS,
        toRequest: (request) => request,
        toPage: ({ sessions }) => toSinglePage(sessions),
      },
    }),
    declareRoute(
      getSessionLife,
      { rate: 'read', owner: 'own', audit: null, isNoUse: true },
      async (_request, exchange) => ({ session: await requireSessionLife(deps, exchange) }),
    ),
    declareRoute(
      keepSession,
      { rate: 'write', owner: 'own', audit: null },
      async (_request, exchange) => {
        const { sessionHash } = getCaller(exchange)
        await restartIdleTime(deps.db, { sessionHash, nowMs: exchange.nowMs })
        return { session: await requireSessionLife(deps, exchange) }
      },
    ),
    declareRoute(
      endOtherSessions,
      { rate: 'write', owner: 'own', audit: 'user.end-sessions' },
      async (_request, exchange) => {
        const { userId, sessionHash } = getCaller(exchange)
        await closeSessionsOf(deps.db, userId, { except: sessionHash })
        return null
      },
    ),
    declareRoute(
      endSession,
      { rate: 'write', owner: 'own', audit: 'user.end-session' },
      async ({ params }, exchange) => {
        await endOneSession(deps.db, { userId: getCaller(exchange).userId, id: params.id })
        exchange.note({ subject: params.id })
        return null
      },
    ),
  ]
}

async function requireSessionLife({ db }: Dependencies, exchange: Exchange): Promise<SessionLife> {
  const { sessionHash } = getCaller(exchange)
  const life = await readSessionLife(db, { sessionHash, nowMs: exchange.nowMs })
  // A concurrent request has ended the session after the gateway authenticated this request.
  if (life === null) throw createNotSignedInFailure()
  return life
}
