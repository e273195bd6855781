/**
 * The delay in milliseconds before a refused stream is opened again. Each further refusal doubles
 * the delay.
 */
export const REOPEN_MS = 5_000
/**
 * The longest delay, in milliseconds. The gateway permits 30 opens per minute, so it permits an
 * open after this delay.
 */
const REOPEN_MS_MAX = 60_000

export interface Reopening {
  /** The number of refused opens since the last successful open. */
  readonly refusals: number
  /** No stream is opened before this time. */
  readonly notBeforeMs: number
}

export const REOPEN_AT_ONCE: Reopening = { refusals: 0, notBeforeMs: 0 }

/**
 * Computes when a refused stream may be opened again. Each refusal doubles the delay, because a
 * page cannot read the Retry-After header of a stream.
 */
export function computeReopening({ refusals }: Reopening, nowMs: number): Reopening {
  const waitMs = Math.min(REOPEN_MS_MAX, REOPEN_MS * 2 ** refusals)
  return { refusals: Math.min(refusals + 1, 10), notBeforeMs: nowMs + waitMs }
}
