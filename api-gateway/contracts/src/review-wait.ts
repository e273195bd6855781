import { formatCounted } from './counted.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_HOURS = 24

/**
 * Formats a wait such as `40 minutes`, `3 hours` or `2 days`. The number is rounded up, so that the
 * stated wait is never shorter than the measured wait.
 */
export function describeWait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS))
  if (minutes < 2 * HOUR_MINUTES) return formatCounted(minutes, 'minute')
  const hours = Math.ceil(minutes / HOUR_MINUTES)
  return hours < 2 * DAY_HOURS
    ? formatCounted(hours, 'hour')
    : formatCounted(Math.ceil(hours / DAY_HOURS), 'day')
}

type Measured = { medianMs: number; p90Ms: number }

/** States the measured waits, the same way on each page. */
export function describeReviewTime({ medianMs, p90Ms }: Measured): string {
  return `half were decided within ${describeWait(medianMs)}, nine out of ten within ${describeWait(p90Ms)}`
}
