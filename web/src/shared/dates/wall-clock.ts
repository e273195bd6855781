import { addDays, dayStart, offsetMs } from '@cairn/gateway-contracts'

const TYPED = /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}/

/** A typed time, `2026-11-21T14:30` on the reader's clocks, as an instant; null while it is not complete. */
export function instantOf(typed: string, timeZone: string): string | null {
  const shownMs = TYPED.test(typed) ? Date.parse(`${typed}Z`) : Number.NaN
  if (Number.isNaN(shownMs)) return null
  // The offset that holds close by, then the one that holds at the time that it gives.
  const nearMs = shownMs - offsetMs(timeZone, shownMs)
  return new Date(shownMs - offsetMs(timeZone, nearMs)).toISOString()
}

/** Two days that a reader chose, both of them whole, as instants. */
export function spanOf(
  { from, to }: { from?: string; to?: string },
  timeZone: string,
): { from?: string; to?: string } {
  const at = (day: string) => new Date(dayStart(timeZone, day)).toISOString()
  return {
    ...(isDay(from) ? { from: at(from) } : {}),
    ...(isDay(to) ? { to: at(addDays(to, 1)) } : {}),
  }
}

function isDay(day: string | undefined): day is string {
  return (
    typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
  )
}
