import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const CHARACTERS_CHECKED_MAX = 72

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** Returns 0 to 4 by the number of guesses needed; parts of `context` count as known. */
export function estimateScore(password: string, context: readonly string[]): number {
  // Bounds the time, which grows with the length. More characters only make a password stronger.
  return estimator.check(password.slice(0, CHARACTERS_CHECKED_MAX), [...context]).score
}
