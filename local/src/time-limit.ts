/**
 * Limits on elapsed time are judged where the machine is known to be idle, in `npm run scorecard` and
 * `npm run torture`. In `npm test` they only bound how long a test waits for what has to come about.
 */
export const JUDGES_TIMES = process.env.CAIRN_JUDGE_TIMES === '1'

/** Longer than any step takes on a busy machine. */
export const PATIENCE_MS = 240_000

/** Returns `ms` if times are checked, otherwise `PATIENCE_MS`. */
export function timeLimit(ms: number): number {
  return JUDGES_TIMES ? ms : PATIENCE_MS
}
