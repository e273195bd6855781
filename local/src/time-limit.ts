/**
 * True in `npm run scorecard` and `npm run torture`, which check durations on an idle machine. In
 * `npm test`, a time limit is only a timeout.
 */
export const JUDGES_TIMES = process.env.CAIRN_JUDGE_TIMES === '1'

/**
 * The timeout of one step of a test. The timeout is longer than any step takes on a busy machine.
 */
export const PATIENCE_MS = 240_000

/** Returns `ms` if durations are checked, otherwise `PATIENCE_MS`. */
export function chooseTimeLimit(ms: number): number {
  return JUDGES_TIMES ? ms : PATIENCE_MS
}
