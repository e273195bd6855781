/** Determines the largest size of a batch. */
export interface BatchLimit {
  /**
   * Returns the maximum size of the open batch. `taken` entries are in the open batch, `committing`
   * entries in the batch that is being committed, and `waiting` entries in the queue.
   */
  getMaxSize(sizes: { taken: number; committing: number; waiting: number }): number
  /**
   * Must be called after the database rejected a batch of `size` entries because of an invalid
   * value.
   */
  halveLimit(size: number): void
  /** Must be called after each batch that was written. */
  raiseLimit(): void
}

const BATCH_MAX = 500
/**
 * The minimum size of each of two equal batches. A smaller batch takes the database as much time as
 * a batch of this size.
 */
const HALF_MIN = 8

export function createBatchLimit(): BatchLimit {
  /** The maximum size during a search for faulty entries. Null while no search is running. */
  let searched: number | null = null

  return {
    getMaxSize: ({ taken, committing, waiting }) => {
      // During a search for faulty entries, the next batch starts only after the previous batch has
      // ended.
      if (searched !== null) return committing === 0 ? searched : 0
      // No other batch commits, so the open batch may take all entries.
      if (committing === 0) return BATCH_MAX
      // The two batches get equal sizes. Otherwise the database would idle after the smaller of the
      // two batches.
      const half = Math.ceil((taken + committing + waiting) / 2)
      return Math.min(BATCH_MAX, Math.max(HALF_MIN, half))
    },
    halveLimit: (size) => {
      searched = Math.ceil(size / 2)
    },
    raiseLimit: () => {
      if (searched !== null) searched = searched * 2 < BATCH_MAX ? searched * 2 : null
    },
  }
}
