/** The events that were recorded since the newest checkpoint. */
export interface Unsigned {
  readonly events: bigint
  /** The time at which the newest checkpoint was signed; null before the first checkpoint. */
  readonly signedAtMs: number | null
}

/** The least time between two checkpoints under load. */
export const SIGNING_MS_MIN = 1_000
/**
 * The log is under load if at least this number of events was recorded since the newest checkpoint.
 */
const EVENTS_UNDER_LOAD = 100n
const QUIET_MS = 60_000

/**
 * True if a checkpoint is due. Checkpoints are stored permanently, so a checkpoint is signed only
 * if events were recorded: at most once a second under load, otherwise once a minute. A request for
 * a receipt does not wait for this time.
 */
export function isSigningDue({ events, signedAtMs }: Unsigned, nowMs: number): boolean {
  if (events <= 0n) return false
  if (signedAtMs === null) return true
  // After the clock was set back, the time of the newest checkpoint can be in the future. The
  // absolute difference is therefore used.
  const passedMs = Math.abs(nowMs - signedAtMs)
  return passedMs >= (events >= EVENTS_UNDER_LOAD ? SIGNING_MS_MIN : QUIET_MS)
}
