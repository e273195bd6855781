import type { Context, Next } from 'koa'
import { createCachedValue } from '../cache.ts'

/**
 * An answer is cached for this number of milliseconds, because any client may request it and each
 * check calls other services.
 */
const HEALTH_FRESH_MS = 1_000

export interface HealthSource {
  /** Returns the state of each part. `/readyz` answers 200 only if all parts are ready. */
  isReady: () => Promise<Record<string, boolean>>
  isAlive: () => Promise<boolean>
}

export function answerHealth(source: HealthSource, freshMs = HEALTH_FRESH_MS) {
  const aliveness = createCachedValue(freshMs, source.isAlive)
  const readiness = createCachedValue(freshMs, source.isReady)
  return async (ctx: Pick<Context, 'path' | 'status' | 'body'>, next: Next): Promise<void> => {
    if (ctx.path === '/healthz') {
      const isAlive = await aliveness.read()
      ctx.status = isAlive ? 200 : 503
      ctx.body = { status: isAlive ? 'ok' : 'unavailable' }
      return
    }
    if (ctx.path === '/readyz') {
      const parts = await readiness.read()
      const isReady = Object.values(parts).every(Boolean)
      ctx.status = isReady ? 200 : 503
      ctx.body = { status: isReady ? 'ready' : 'starting', parts }
      return
    }
    await next()
  }
}
