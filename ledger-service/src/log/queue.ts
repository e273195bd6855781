import type { Lane } from '@cairn/ledger-contracts'
import type { Entry } from './entry.ts'

/**
 * The maximum number of bulk entries per batch while interactive entries arrive and in the next
 * `CALM_BATCHES` batches.
 */
const BULK_NEAR_INTERACTIVE_MAX = 75
/**
 * The maximum number of bulk entries per batch at all other times. It bounds the time that the next
 * interactive entry waits.
 */
const BULK_MAX = 250
const CALM_BATCHES = 40
const QUEUED_MAX = 20_000
const QUEUED_BYTES_MAX = 64 * 1024 * 1024

export interface Queue {
  /** Returns false if the queue is full. In this case no entry was added. */
  push(lane: Lane, entries: readonly Entry[]): boolean
  /** Returns the entries that fit into the open batch, in order within each lane. */
  take(batch: { taken: number; max: number }): Entry[]
  /** Returns all entries. */
  takeAll(): Entry[]
  /** Puts entries whose batch was not written back to the front of the queue, in their order. */
  putBack(entries: readonly Entry[]): void
  getLength(): number
}

export function createQueue(): Queue {
  const lanes: Record<Lane, Entry[]> = { interactive: [], bulk: [] }
  let returned: Entry[] = []
  let bytes = 0
  // Starts at 0, so that a new process first processes few bulk entries per batch.
  let batchesSinceInteractive = 0
  let bulkInBatch = 0

  const countEntries = () => returned.length + lanes.interactive.length + lanes.bulk.length

  return {
    getLength: countEntries,
    push: (lane, entries) => {
      const added = entries.reduce((sum, entry) => sum + entry.bytes, 0)
      if (countEntries() + entries.length > QUEUED_MAX || bytes + added > QUEUED_BYTES_MAX)
        return false
      bytes += added
      for (const entry of entries) lanes[lane].push(entry)
      return true
    },
    take: (batch) => {
      const room = batch.max - batch.taken
      if (countEntries() === 0 || room <= 0) return []
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
    takeAll: () => {
      const all = [...returned, ...lanes.interactive.splice(0), ...lanes.bulk.splice(0)]
      returned = []
      bytes = 0
      return all
    },
    putBack: (entries) => {
      for (const entry of entries) bytes += entry.bytes
      returned = [...entries, ...returned]
    },
  }
}
