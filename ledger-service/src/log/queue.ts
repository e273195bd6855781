import type { Lane } from '@cairn/ledger-contracts'
import type { Entry } from './batch.ts'

/** While somebody waits for an answer on a page, and soon after, bulk work gets this much of a batch. */
const BULK_NEAR_INTERACTIVE_MAX = 75
/** Else not more than who comes first can well wait behind; twice as much is hardly faster. */
const BULK_MAX = 250
const CALM_BATCHES = 40
const QUEUED_MAX = 20_000
const QUEUED_BYTES_MAX = 64 * 1024 * 1024

export interface Queue {
  /** False: the queue is full, and nothing was taken. */
  push(lane: Lane, entries: readonly Entry[]): boolean
  /** What the open batch still has room for, in order within each lane; with none in it, the next. */
  take(batch: { taken: number; max: number }): Entry[]
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
  let bulkInBatch = 0

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
    take: (batch) => {
      const room = batch.max - batch.taken
      if (length() === 0 || room <= 0) return []
      if (batch.taken === 0) {
        batchesSinceInteractive += 1
        bulkInBatch = 0
      }
      const taken = returned.splice(0, room)
      if (taken.length === 0) {
        taken.push(...lanes.interactive.splice(0, room))
        if (taken.length > 0) batchesSinceInteractive = 0
        const isCalm = batchesSinceInteractive > CALM_BATCHES
        const share = (isCalm ? BULK_MAX : BULK_NEAR_INTERACTIVE_MAX) - bulkInBatch
        const bulk = lanes.bulk.splice(0, Math.max(0, Math.min(share, room - taken.length)))
        bulkInBatch += bulk.length
        taken.push(...bulk)
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
