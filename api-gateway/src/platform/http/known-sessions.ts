import { createHash } from 'node:crypto'
import type { RateLimiter } from './rate-limit.ts'

/** Bound of the memory: above this number the session that was used least recently is forgotten. */
const KNOWN_MAX = 100_000

export interface KnownSessions {
  /**
   * Calls `find` with the rate limit of unknown sessions, unless this process has found the session
   * before. Throws 429 without calling `find` if the address has sent too many unknown sessions.
   */
  find<Found>(
    session: { token: string | null; address: string },
    find: () => Promise<Found | null>,
  ): Promise<Found | null>
}

/** An invented cookie costs a query of the database, so their number is limited for each address. */
export function createKnownSessions(rates: RateLimiter): KnownSessions {
  const known = new Set<string>()

  function remember(key: string): void {
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
      // The session exists, so the request does not count.
      if (!isKnown) rates.giveBack('unknown-session', address)
      remember(key)
      return found
    },
  }
}
