/** Returns a UTC month, such as `2026-10`. */
export function getMonth(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

/** Returns the time at which the next month starts, in milliseconds since 1970. */
export function getMonthEndMs(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return Date.UTC(year, number, 1)
}

export function getFollowingMonth(month: string): string {
  return getMonth(getMonthEndMs(month))
}
