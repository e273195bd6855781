const DAY_MS = 86_400_000
/** Bound of the cache: a time zone has several spellings, and each format takes some kilobytes. */
const FORMATS_KEPT_MAX = 100
const formats = new Map<string, Intl.DateTimeFormat>()

const AREA =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[\w+/-]{1,40}$/

/**
 * Accepts IANA names only: an offset has no clock changes, and abbreviations such as `ACT` are
 * ambiguous.
 */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !AREA.test(name)) return false
  try {
    getWallClock(name)
    return true
  } catch {
    return false
  }
}

/** True for a BCP 47 tag of a language for which `Intl` has date formats. */
export function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1
  } catch {
    return false
  }
}

/** Offset of a time zone from UTC at an instant, in milliseconds; positive east of UTC. */
export function getOffsetMs(timeZone: string, atMs: number): number {
  const parts = getWallClock(timeZone).formatToParts(atMs)
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const time = [of('hour'), of('minute'), of('second')] as const
  const shownMs = Date.UTC(of('year'), of('month') - 1, of('day'), ...time)
  return shownMs - Math.floor(atMs / 1000) * 1000
}

/** The calendar day of an instant in a time zone, for example `2026-11-21`. */
export function getDayIn(timeZone: string, atMs: number): string {
  return new Date(atMs + getOffsetMs(timeZone, atMs)).toISOString().slice(0, 10)
}

/**
 * Start of a day in epoch milliseconds: its midnight, or the first instant after it if clocks skip
 * midnight.
 */
export function getDayStart(timeZone: string, day: string): number {
  const midnightMs = Date.parse(day)
  // The offsets one day before and one day after; at most one clock change happens in between.
  const before = midnightMs - getOffsetMs(timeZone, midnightMs - DAY_MS)
  const after = midnightMs - getOffsetMs(timeZone, midnightMs + DAY_MS)
  const starts = [before, after].filter((atMs) => getDayIn(timeZone, atMs) === day)
  return starts.length === 0 ? after : Math.min(...starts)
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}

function getWallClock(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= FORMATS_KEPT_MAX) formats.clear()
  formats.set(timeZone, made)
  return made
}
