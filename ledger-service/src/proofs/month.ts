/** A month of UTC, such as `2026-10`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

/** The first moment that is not of the month any more. */
export function endOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return Date.UTC(year, number, 1)
}

export function followingMonth(month: string): string {
  return monthOf(endOf(month))
}
