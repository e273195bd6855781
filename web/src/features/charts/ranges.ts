export const RANGES = ['1W', '1M', '3M', 'YTD', '1Y', 'MAX'] as const
export type Range = (typeof RANGES)[number]

/** The first UTC day of a range that ends today; undefined: from the beginning. */
export function firstDayOf(range: Range, now: Date): string | undefined {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  switch (range) {
    case '1W':
      return dayText(Date.UTC(year, month, day - 7))
    case '1M':
      return dayText(monthsBefore({ year, month, day }, 1))
    case '3M':
      return dayText(monthsBefore({ year, month, day }, 3))
    case 'YTD':
      return dayText(Date.UTC(year, 0, 1))
    case '1Y':
      return dayText(monthsBefore({ year, month, day }, 12))
    case 'MAX':
      return undefined
  }
}

export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** The 31st of a month without one is its last day. */
function monthsBefore(at: { year: number; month: number; day: number }, months: number): number {
  const last = new Date(Date.UTC(at.year, at.month - months + 1, 0)).getUTCDate()
  return Date.UTC(at.year, at.month - months, Math.min(at.day, last))
}
