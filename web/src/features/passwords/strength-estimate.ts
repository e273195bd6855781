import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const CHARACTERS_LOOKED_AT = 72

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** 0 to 4, by how many guesses it takes; a piece of what stands in `context` counts as guessed. */
export function estimateScore(password: string, context: readonly string[]): number {
  // What follows can only make it stronger, and time grows with the length.
  return estimator.check(password.slice(0, CHARACTERS_LOOKED_AT), [...context]).score
}
