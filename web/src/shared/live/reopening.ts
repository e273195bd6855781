/** Delay before reopening a stream that was refused; each further refusal doubles it. */
export const REOPEN_MS = 5_000
/** The gateway permits 30 opens in a minute, so after this delay one is permitted. */
const REOPEN_MS_MAX = 60_000

export interface Reopening {
  /** Refused opens since the last one that succeeded. */
  readonly refusals: number
  /** No stream is opened before this time. */
  readonly notBeforeMs: number
}

export const REOPEN_AT_ONCE: Reopening = { refusals: 0, notBeforeMs: 0 }

/** A page cannot read the status or the Retry-After of a refused stream, so each refusal counts. */
export function backOff({ refusals }: Reopening, nowMs: number): Reopening {
  const waitMs = Math.min(REOPEN_MS_MAX, REOPEN_MS * 2 ** refusals)
  return { refusals: Math.min(refusals + 1, 10), notBeforeMs: nowMs + waitMs }
}
