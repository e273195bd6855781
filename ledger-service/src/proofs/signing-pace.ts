/** What was recorded since the newest checkpoint. */
export interface Unsigned {
  readonly events: bigint
  /** The time at which the newest checkpoint was signed; null if there is none. */
  readonly signedAtMs: number | null
}

/** The least time between two checkpoints under load. */
export const SIGNING_MS_MIN = 1_000
/** From this number of events on, the log is under load. */
const EVENTS_UNDER_LOAD = 100n
const QUIET_MS = 60_000

/**
 * True if a checkpoint is due. Checkpoints are kept for ever, so one is made only if something was
 * recorded: at most once a second under load, and once a minute otherwise. A request for a receipt
 * does not wait until a checkpoint is due.
 */
export function isSigningDue({ events, signedAtMs }: Unsigned, nowMs: number): boolean {
  if (events <= 0n) return false
  if (signedAtMs === null) return true
  // If the clock was set back, the newest checkpoint can be in the future. The difference then also
  // counts.
  const passedMs = Math.abs(nowMs - signedAtMs)
  return passedMs >= (events >= EVENTS_UNDER_LOAD ? SIGNING_MS_MIN : QUIET_MS)
}
