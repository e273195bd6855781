/**
 * Limits on elapsed time are judged where the machine is known to be idle, in `npm run scorecard` and
 * `npm run torture`. In `npm test` they only bound how long a test waits for what has to come about.
 */
export const JUDGES_TIMES = process.env.CAIRN_JUDGE_TIMES === '1'

/** Longer than anything takes on a machine that other processes keep busy. */
export const PATIENCE_MS = 240_000

/** `ms` where times are judged, otherwise `PATIENCE_MS`. */
export function timeLimit(ms: number): number {
  return JUDGES_TIMES ? ms : PATIENCE_MS
}
