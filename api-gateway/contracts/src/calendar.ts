const DAY_MS = 86_400_000
/**
 * Maximum number of cached formats. One format needs some kilobytes, and callers can spell a zone
 * in several ways.
 */
const FORMATS_KEPT_MAX = 100
const formats = new Map<string, Intl.DateTimeFormat>()

const AREA =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[\w+/-]{1,40}$/

/**
 * Returns true for the IANA name of a time zone. UTC offsets are refused because they have no clock
 * changes, and abbreviations such as `ACT` because they are ambiguous.
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

/** Returns true for a BCP 47 language tag for which `Intl` has date formats. */
export function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1
  } catch {
    return false
  }
}

/**
 * Returns the offset of a time zone from UTC at an instant, in milliseconds. The offset is positive
 * east of UTC.
 */
export function getOffsetMs(timeZone: string, atMs: number): number {
  const parts = getWallClock(timeZone).formatToParts(atMs)
  const readPart = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const time = [readPart('hour'), readPart('minute'), readPart('second')] as const
  // Not `Date.UTC(year)`, which reads the years 0 to 99 as 1900 to 1999.
  const shown = new Date(Date.UTC(0, 0, 1, ...time))
  const shownMs = shown.setUTCFullYear(readPart('year'), readPart('month') - 1, readPart('day'))
  return shownMs - Math.floor(atMs / 1000) * 1000
}

/** Returns the calendar day of an instant in a time zone, for example `2026-11-21`. */
export function getDayIn(timeZone: string, atMs: number): string {
  return new Date(atMs + getOffsetMs(timeZone, atMs)).toISOString().slice(0, 10)
}

/**
 * Returns the start of a day in epoch milliseconds: its midnight, or the first instant after
 * midnight if the clocks skip midnight.
 */
export function getDayStart(timeZone: string, day: string): number {
  const midnightMs = Date.parse(day)
  // Uses the UTC offsets one day before and one day after this midnight. At most one clock change
  // is between these two instants.
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
