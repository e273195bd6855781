const DAY_MS = 86_400_000
/** The same zone may be asked for in many spellings; each format takes some kilobytes. */
const FORMATS_KEPT_MAX = 100
const formats = new Map<string, Intl.DateTimeFormat>()

const AREA =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[\w+/-]{1,40}$/

/** Names of the IANA database only: an offset does not know when clocks change, and what `ACT` is differs. */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !AREA.test(name)) return false
  try {
    wallClock(name)
    return true
  } catch {
    return false
  }
}

/** A BCP 47 tag of a language whose dates are known. */
export function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1
  } catch {
    return false
  }
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
export function offsetMs(timeZone: string, atMs: number): number {
  const parts = wallClock(timeZone).formatToParts(atMs)
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const time = [of('hour'), of('minute'), of('second')] as const
  const shownMs = Date.UTC(of('year'), of('month') - 1, of('day'), ...time)
  return shownMs - Math.floor(atMs / 1000) * 1000
}

/** The calendar day of an instant, as `2026-11-21`. */
export function dayIn(timeZone: string, atMs: number): string {
  return new Date(atMs + offsetMs(timeZone, atMs)).toISOString().slice(0, 10)
}

/** When a day begins: its midnight, or where clocks skip that, the first moment after it. */
export function dayStart(timeZone: string, day: string): number {
  const midnightMs = Date.parse(day)
  // What the clocks show a day before and a day after; they change once in between at most.
  const before = midnightMs - offsetMs(timeZone, midnightMs - DAY_MS)
  const after = midnightMs - offsetMs(timeZone, midnightMs + DAY_MS)
  const starts = [before, after].filter((atMs) => dayIn(timeZone, atMs) === day)
  return starts.length === 0 ? after : Math.min(...starts)
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}

function wallClock(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  if (formats.size >= FORMATS_KEPT_MAX) formats.clear()
  formats.set(timeZone, made)
  return made
}
