/** Returns the last day, such as `2026-11-30`, of the month (UTC) that contains the time. */
export function getLastDayOfMonth(nowMs = Date.now()): string {
  const now = new Date(nowMs)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0))
    .toISOString()
    .slice(0, 10)
}
