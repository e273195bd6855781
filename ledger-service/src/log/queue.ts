import type { Lane } from '@cairn/ledger-contracts'
import type { Entry } from './batch.ts'

export const BATCH_MAX = 500
/** While somebody waits for an answer on a page, bulk work gets this much of a batch. */
const BULK_BESIDE_INTERACTIVE_MAX = 50
/** And so soon after somebody did, not more than a batch that the next one can well wait behind. */
const BULK_AFTER_INTERACTIVE_MAX = 50
const CALM_BATCHES = 40
const QUEUED_MAX = 20_000
const QUEUED_BYTES_MAX = 64 * 1024 * 1024

export interface Queue {
  /** False: the queue is full, and nothing was taken. */
  push(lane: Lane, entries: readonly Entry[]): boolean
  /** At most a batch, in order within each lane. */
  take(): Entry[]
  /** Entries whose batch was not written, at the front again and in their order. */
  putBack(entries: readonly Entry[]): void
  length(): number
}

export function createQueue(): Queue {
  const lanes: Record<Lane, Entry[]> = { interactive: [], bulk: [] }
  let returned: Entry[] = []
  let bytes = 0
  // A process that has just started is slow at first, and does not know yet who waits.
  let batchesSinceInteractive = 0

  const length = () => returned.length + lanes.interactive.length + lanes.bulk.length

  return {
    length,
    push: (lane, entries) => {
      const added = entries.reduce((sum, entry) => sum + entry.bytes, 0)
      if (length() + entries.length > QUEUED_MAX || bytes + added > QUEUED_BYTES_MAX) return false
      bytes += added
      for (const entry of entries) lanes[lane].push(entry)
      return true
    },
    take: () => {
      const taken = returned.splice(0, BATCH_MAX)
      if (taken.length === 0) {
        taken.push(...lanes.interactive.splice(0, BATCH_MAX))
        const isBeside = taken.length > 0
        const bulkMax = bulkShare(isBeside, batchesSinceInteractive)
        batchesSinceInteractive = isBeside ? 0 : batchesSinceInteractive + 1
        taken.push(...lanes.bulk.splice(0, Math.min(bulkMax, BATCH_MAX - taken.length)))
      }
      for (const entry of taken) bytes -= entry.bytes
      return taken
    },
    putBack: (entries) => {
      for (const entry of entries) bytes += entry.bytes
      returned = [...entries, ...returned]
    },
  }
}

function bulkShare(isBesideInteractive: boolean, batchesSinceInteractive: number): number {
  if (isBesideInteractive) return BULK_BESIDE_INTERACTIVE_MAX
  return batchesSinceInteractive < CALM_BATCHES ? BULK_AFTER_INTERACTIVE_MAX : BATCH_MAX
}
