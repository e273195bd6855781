/** The largest size of a batch. */
export interface BatchLimit {
  /** `taken` entries are in the open batch, `committing` in the one that commits, `waiting` are queued. */
  max(sizes: { taken: number; committing: number; waiting: number }): number
  /** Called after a batch of `size` entries with bad data, until the faulty entries are found. */
  halve(size: number): void
  /** Called after each batch that was written. */
  raise(): void
}

const BATCH_MAX = 500
/** Smaller batches do not reduce the cost in the database. */
const HALF_MIN = 8

export function createBatchLimit(): BatchLimit {
  /** Null unless faulty entries are searched for. */
  let searched: number | null = null

  return {
    max: ({ taken, committing, waiting }) => {
      // Only one batch is in progress while faulty entries are searched for.
      if (searched !== null) return committing === 0 ? searched : 0
      // No batch commits, so the entries need not be split.
      if (committing === 0) return BATCH_MAX
      // Two halves: with unequal batches, the database idles until callers of the large one return.
      const half = Math.ceil((taken + committing + waiting) / 2)
      return Math.min(BATCH_MAX, Math.max(HALF_MIN, half))
    },
    halve: (size) => {
      searched = Math.ceil(size / 2)
    },
    raise: () => {
      if (searched !== null) searched = searched * 2 < BATCH_MAX ? searched * 2 : null
    },
  }
}
