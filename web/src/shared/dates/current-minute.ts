const MINUTE_MS = 60_000

/**
 * Returns the current time rounded down to minutes, so that the same filter keeps the same query
 * key.
 */
export function getCurrentMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
}
