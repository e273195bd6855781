import { followChanges } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { callerOf, type Route, streamRoute } from '../http/registry.ts'

export function liveRoutes({ live }: Pick<Dependencies, 'live'>): readonly Route[] {
  return [
    streamRoute(
      followChanges,
      { rate: 'read', owner: 'own', audit: null, isNoUse: true },
      async (_request, exchange) => {
        const { userId, role, sessionHash } = callerOf(exchange)
        // The browser says by itself how far it has read when it comes back.
        const seen = exchange.ctx.get('Last-Event-ID')
        const after = /^\d{1,18}$/.test(seen) ? BigInt(seen) : null
        return { messages: await live.open({ userId, role, sessionHash }, after) }
      },
    ),
  ]
}
