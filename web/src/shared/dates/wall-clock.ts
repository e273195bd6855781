import { addDays, getDayStart, getOffsetMs } from '@cairn/gateway-contracts'

const TYPED = /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}/

/**
 * Converts a typed local time, such as `2026-11-21T14:30`, to an instant. Returns null while the
 * typed time is incomplete.
 */
export function toInstant(typed: string, timeZone: string): string | null {
  const shownMs = TYPED.test(typed) ? Date.parse(`${typed}Z`) : Number.NaN
  if (Number.isNaN(shownMs)) return null
  // The first computed offset can be wrong near a change of the clocks. The second computed offset
  // is exact.
  const nearMs = shownMs - getOffsetMs(timeZone, shownMs)
  return new Date(shownMs - getOffsetMs(timeZone, nearMs)).toISOString()
}

/**
 * Converts two days to the instants at which the span of days starts and ends. Both days are part
 * of the span.
 */
export function toSpan(
  { from, to }: { from?: string; to?: string },
  timeZone: string,
): { from?: string; to?: string } {
  const toDayStart = (day: string) => new Date(getDayStart(timeZone, day)).toISOString()
  return {
    ...(isDay(from) ? { from: toDayStart(from) } : {}),
    ...(isDay(to) ? { to: toDayStart(addDays(to, 1)) } : {}),
  }
}

function isDay(day: string | undefined): day is string {
  return (
    typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
  )
}
