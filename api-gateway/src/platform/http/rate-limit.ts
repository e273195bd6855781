import { createTooManyRequestsFailure } from './failure.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/**
 * Maximum number of buckets in memory. When this number is reached, the least recently used bucket
 * is removed.
 */
const BUCKETS_MAX = 100_000

/**
 * The permitted number of requests in a time window. A caller may send all these requests at once.
 * Used requests become available again evenly over the window.
 */
const CLASSES = {
  'anonymous-read': { max: 600, windowMs: MINUTE_MS },
  read: { max: 1_200, windowMs: MINUTE_MS },
  write: { max: 300, windowMs: MINUTE_MS },
  money: { max: 120, windowMs: MINUTE_MS },
  'sign-up': { max: 20, windowMs: HOUR_MS },
  contact: { max: 5, windowMs: HOUR_MS },
  code: { max: 60, windowMs: HOUR_MS },
  login: { max: 60, windowMs: 15 * MINUTE_MS },
  /** Counts opened event streams per session. */
  stream: { max: 30, windowMs: MINUTE_MS },
  /** Counts unknown session cookies per address. */
  'unknown-session': { max: 300, windowMs: MINUTE_MS },
} as const
export type RateClass = keyof typeof CLASSES

export function getRate(rateClass: RateClass): { max: number; windowMs: number } {
  return CLASSES[rateClass]
}

/** Returns the class that counts the requests of callers without a session. */
export function getAnonymousRate(rateClass: RateClass): RateClass {
  return rateClass === 'read' ? 'anonymous-read' : rateClass
}

/** Returns text for the documentation, for example `120 in a minute`. */
export function describeRate(rateClass: RateClass): string {
  const { max, windowMs } = CLASSES[rateClass]
  const minutes = windowMs / MINUTE_MS
  const span = minutes === 1 ? 'a minute' : minutes === 60 ? 'an hour' : `${minutes} minutes`
  return `${max} in ${span}`
}

export interface RateLimiter {
  /** Counts a request. Throws 429 if the caller has used all requests of this class. */
  take(rateClass: RateClass, who: string): void
  /** Subtracts one request that `take` has counted. */
  subtractRequest(rateClass: RateClass, who: string): void
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

export function createRateLimiter(options: { scale: number; now: () => number }): RateLimiter {
  const buckets = new Map<string, Bucket>()

  return {
    take: (rateClass, who) => {
      const { max, windowMs } = CLASSES[rateClass]
      const capacity = Math.max(1, max * options.scale)
      const perMs = capacity / windowMs
      const key = `${rateClass} ${who}`
      const nowMs = options.now()
      const known = buckets.get(key) ?? { tokens: capacity, filledAtMs: nowMs }
      const elapsedMs = Math.max(0, nowMs - known.filledAtMs)
      const tokens = Math.min(capacity, known.tokens + elapsedMs * perMs)
      buckets.delete(key)
      if (tokens < 1) {
        buckets.set(key, { tokens, filledAtMs: nowMs })
        throw createTooManyRequestsFailure(Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000)))
      }
      if (buckets.size >= BUCKETS_MAX) removeOldestBucket(buckets)
      buckets.set(key, { tokens: tokens - 1, filledAtMs: nowMs })
    },
    subtractRequest: (rateClass, who) => {
      const known = buckets.get(`${rateClass} ${who}`)
      // If the number of tokens is now above the maximum, the next `take` reduces it to the
      // maximum.
      if (known !== undefined) known.tokens += 1
    },
  }
}

/**
 * Removes the least recently used bucket. This is the first bucket, because a Map keeps the order
 * of insertion and `take` moves a used bucket to the end.
 */
function removeOldestBucket(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys()
  if (oldest !== undefined) buckets.delete(oldest)
}
