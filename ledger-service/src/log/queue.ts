import type { Lane } from '@cairn/ledger-contracts'
import { countCommands, type Entry } from './entry.ts'

/**
 * The maximum number of bulk commands per batch while interactive entries arrive and in the next
 * `CALM_BATCHES` batches. A group of linked commands may exceed the maximum, because otherwise a
 * large group would never be taken.
 */
const BULK_NEAR_INTERACTIVE_MAX = 75
/**
 * The maximum number of bulk commands per batch when the maximum above does not apply. It bounds
 * the time that the next interactive entry waits.
 */
const BULK_MAX = 250
const CALM_BATCHES = 40
/**
 * The maximum number of queued commands. It bounds the time that an accepted command waits: about
 * half a second at the rate of the benchmarks.
 */
export const QUEUED_MAX = 5_000
const QUEUED_BYTES_MAX = 64 * 1024 * 1024

export interface Queue {
  /** Returns false if the queue is full. In this case no entry was added. */
  push(lane: Lane, entries: readonly Entry[]): boolean
  /**
   * Removes and returns the entries that fit into the open batch, in order within each lane.
   * `taken` and `max` count commands. Only the last returned entry, a group of linked commands, may
   * exceed `max`.
   */
  take(batch: { taken: number; max: number }): Entry[]
  /** Removes and returns all entries. */
  takeAll(): Entry[]
  /**
   * Puts entries back to the front of the queue, in their order. The batch of these entries was not
   * written.
   */
  returnToFront(entries: readonly Entry[]): void
  /** True if the queue accepts one more small command. */
  hasRoom(): boolean
  /** Returns the number of queued commands. */
  getLength(): number
}

export function createQueue(): Queue {
  const lanes: Record<Lane, Entry[]> = { interactive: [], bulk: [] }
  let returned: Entry[] = []
  let bytes = 0
  let length = 0
  // The count starts at 0, so that a new process first takes few bulk entries per batch.
  let batchesSinceInteractive = 0
  let bulkInBatch = 0

  return {
    getLength: () => length,
    hasRoom: () => length < QUEUED_MAX && bytes < QUEUED_BYTES_MAX,
    push: (lane, entries) => {
      const added = entries.reduce((sum, entry) => sum + entry.bytes, 0)
      const commands = countAllCommands(entries)
      if (length + commands > QUEUED_MAX || bytes + added > QUEUED_BYTES_MAX) return false
      bytes += added
      length += commands
      for (const entry of entries) lanes[lane].push(entry)
      return true
    },
    take: (batch) => {
      const room = batch.max - batch.taken
      if (length === 0 || room <= 0) return []
      if (batch.taken === 0) {
        batchesSinceInteractive += 1
        bulkInBatch = 0
      }
      const taken = takeFirstEntries(returned, room)
      if (taken.length === 0) {
        taken.push(...takeFirstEntries(lanes.interactive, room))
        if (taken.length > 0) batchesSinceInteractive = 0
        const isCalm = batchesSinceInteractive > CALM_BATCHES
        const share = (isCalm ? BULK_MAX : BULK_NEAR_INTERACTIVE_MAX) - bulkInBatch
        const bulk = takeFirstEntries(lanes.bulk, Math.min(share, room - countAllCommands(taken)))
        bulkInBatch += countAllCommands(bulk)
        taken.push(...bulk)
      }
      for (const entry of taken) bytes -= entry.bytes
      length -= countAllCommands(taken)
      return taken
    },
    takeAll: () => {
      const all = [...returned, ...lanes.interactive.splice(0), ...lanes.bulk.splice(0)]
      returned = []
      bytes = 0
      length = 0
      return all
    },
    returnToFront: (entries) => {
      for (const entry of entries) bytes += entry.bytes
      length += countAllCommands(entries)
      returned = [...entries, ...returned]
    },
  }
}

function countAllCommands(entries: readonly Entry[]): number {
  let sum = 0
  for (const entry of entries) sum += countCommands(entry)
  return sum
}

/**
 * Removes and returns entries from the front until they contain `room` commands. Only the last of
 * these entries, a group of linked commands, may exceed `room`.
 */
function takeFirstEntries(entries: Entry[], room: number): Entry[] {
  let count = 0
  for (let commands = 0; commands < room; count += 1) {
    const entry = entries[count]
    if (entry === undefined) break
    commands += countCommands(entry)
  }
  return entries.splice(0, count)
}
