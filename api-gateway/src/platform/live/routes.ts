import { followChanges, LIVE_POSITION } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { HttpFailure } from '../http/failure.ts'
import { createStreamRoute, getCaller, type Route } from '../http/registry.ts'
import { parsePosition } from './position.ts'

export function createLiveRoutes({ live }: Pick<Dependencies, 'live'>): readonly Route[] {
  return [
    createStreamRoute(
      followChanges,
      { rate: 'stream', owner: 'own', audit: null, isNoUse: true },
      async ({ query }, exchange) => {
        const { userId, role, permissions, sessionHash } = getCaller(exchange)
        if (query.user !== undefined && query.user !== userId) {
          throw new HttpFailure(
            409,
            'ANOTHER_USER',
            'Another person is logged in to this browser now. Load the page again.',
          )
        }
        // A browser reconnects with the URL of its first request, so the id in the header is newer
        // than `after`.
        const seen = exchange.ctx.get('Last-Event-ID')
        const after = LIVE_POSITION.test(seen) ? seen : query.after
        return {
          messages: await live.open(
            { userId, role, permissions, sessionHash },
            after === undefined ? null : parsePosition(after),
          ),
        }
      },
    ),
  ]
}
