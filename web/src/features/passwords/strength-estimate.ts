import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const CHARACTERS_CHECKED_MAX = 72

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** Rates a password from 0 (guessed quickly) to 4. Words of `context` count as easy to guess. */
export function estimateScore(password: string, context: readonly string[]): number {
  // Only this number of characters is checked, which limits the time of the check. Further
  // characters only make the password stronger.
  return estimator.check(password.slice(0, CHARACTERS_CHECKED_MAX), [...context]).score
}
