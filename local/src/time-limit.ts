/**
 * True in `npm run scorecard` and `npm run torture`, which run on an idle machine and check
 * durations. In `npm test` a time limit is only a timeout.
 */
export const JUDGES_TIMES = process.env.CAIRN_JUDGE_TIMES === '1'

/** Longer than any step takes on a busy machine. */
export const PATIENCE_MS = 240_000

/** Returns `ms` if times are checked, otherwise `PATIENCE_MS`. */
export function timeLimit(ms: number): number {
  return JUDGES_TIMES ? ms : PATIENCE_MS
}
