import { createAssumptions, KEYS_MIN } from './assumptions.ts'
import type { CommitterOptions } from './committer-options.ts'
import { createCache, ROWS_PER_TABLE_MAX } from './view.ts'

/** Up to this number of ledgers, each writer may keep as many rows and keys as a single one. */
const UNDIVIDED_LEDGERS_MAX = 16

/**
 * Returns the cache and the assumptions of each writer of a service. All ledgers together keep at
 * most as many rows and keys as 16 ledgers.
 */
export function shareMemory(
  ledgers: number,
): Required<Pick<CommitterOptions, 'createCache' | 'createAssumptions'>> {
  const share = Math.min(1, UNDIVIDED_LEDGERS_MAX / ledgers)
  return {
    createCache: (tables) => createCache(tables, Math.floor(ROWS_PER_TABLE_MAX * share)),
    createAssumptions: () => createAssumptions({ keysMin: Math.floor(KEYS_MIN * share) }),
  }
}
