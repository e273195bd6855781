const MINUTE_MS = 60_000

/** Now, rounded, so that the same filter is the same query while a page stands. */
export function getCurrentMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
}
