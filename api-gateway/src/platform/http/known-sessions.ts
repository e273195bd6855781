import { createHash } from 'node:crypto'
import type { RateLimiter } from './rate-limit.ts'

/**
 * Maximum number of sessions in memory. When this number is reached, the least recently used
 * session is removed.
 */
const KNOWN_MAX = 100_000

export interface KnownSessions {
  /**
   * Calls `find` for the session. If this process has not found the session before, the call counts
   * for the rate limit of the address. Throws 429 above the limit, without calling `find`.
   */
  find<Found>(
    session: { token: string | null; address: string },
    find: () => Promise<Found | null>,
  ): Promise<Found | null>
}

/**
 * Limits the number of unknown sessions per address, because each unknown session causes a database
 * query.
 */
export function createKnownSessions(rates: RateLimiter): KnownSessions {
  const known = new Set<string>()

  function rememberSession(key: string): void {
    known.delete(key)
    known.add(key)
    if (known.size <= KNOWN_MAX) return
    const [oldest] = known
    if (oldest !== undefined) known.delete(oldest)
  }

  return {
    find: async ({ token, address }, find) => {
      if (token === null) return find()
      const key = createHash('sha256').update(token).digest('base64')
      const isKnown = known.has(key)
      if (!isKnown) rates.take('unknown-session', address)
      const found = await find()
      if (found === null) {
        known.delete(key)
        return null
      }
      // The session exists, so the call does not count for the rate limit.
      if (!isKnown) rates.subtractRequest('unknown-session', address)
      rememberSession(key)
      return found
    },
  }
}
