import type { Store, StoreSession } from './store.ts'
import type { BatchRows, RowOf, Table } from './table.ts'
import { eventTable, refusalTable } from './tables.ts'

/** A Bloom filter: what was added is always found; of what was not, one in a thousand if it is full. */
export interface KeyFilter {
  /** How many keys it has room for. */
  readonly room: number
  /** The SHA-256 of a key; it begins at `at`. */
  add(hashes: Buffer, at?: number): void
  mayHave(hash: Buffer): boolean
  isFull(): boolean
}

export const HASH_BYTES = 32
const BITS_PER_KEY = 16
/** Each looks at four bytes of the hash, which are as random as any. */
const PROBES = 6
const ROOM_MIN = 2 ** 20
/** 128 MB. What comes beyond only makes it less sure. */
const ROOM_MAX = 2 ** 26

export function createKeyFilter(keys: number): KeyFilter {
  const room = 2 ** Math.ceil(Math.log2(Math.min(keys, ROOM_MAX)))
  const bytes = new Uint8Array((room * BITS_PER_KEY) / 8)
  const mask = bytes.length - 1
  let added = 0
  return {
    room,
    add: (hashes, at = 0) => {
      added += 1
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = hashes.readUInt32LE(at + probe * 4)
        const place = (bit >>> 3) & mask
        bytes[place] = (bytes[place] ?? 0) | (1 << (bit & 7))
      }
    },
    mayHave: (hash) => {
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = hash.readUInt32LE(probe * 4)
        if (((bytes[(bit >>> 3) & mask] ?? 0) & (1 << (bit & 7))) === 0) return false
      }
      return true
    },
    isFull: () => added > room && room < ROOM_MAX,
  }
}

/**
 * A store that looks up only the keys that may have been used. It knows them all: whoever else
 * writes takes the head first, and after that they are read anew.
 */
export function keyFilteringStore(store: Store, { roomMin = ROOM_MIN } = {}): Store {
  let known: KeyFilter | null = null
  /** Until all are read, every key is looked up. */
  let isComplete = false
  let epoch: bigint | null = null

  /** Beside the writing, however long it takes. */
  async function fill(session: StoreSession, keys: number): Promise<void> {
    const filter = createKeyFilter(Math.max(keys, roomMin))
    known = filter
    isComplete = false
    try {
      for await (const hashes of session.usedKeys()) {
        if (known !== filter) return
        for (let at = 0; at < hashes.length; at += HASH_BYTES) filter.add(hashes, at)
      }
      if (known === filter) isComplete = true
    } catch {
      // The session is gone: whoever takes the head next begins anew.
    }
  }

  return {
    open: async () => {
      const session = await store.open()
      return {
        ...session,
        takeHead: async (nowMs) => {
          const head = await session.takeHead(nowMs)
          const isNobodyBetween = epoch !== null && head.epoch === epoch + 1n
          epoch = head.epoch
          if (!isComplete || !isNobodyBetween) void fill(session, 2 * Number(head.frontier.size))
          return head
        },
        loadSettled: async (hashes) => {
          const asked = isComplete ? hashes.filter((hash) => known?.mayHave(hash)) : hashes
          return asked.length === 0 ? { events: [], refusals: [] } : session.loadSettled(asked)
        },
        append: (move, rows) => {
          if (known?.isFull()) void fill(session, 2 * known.room)
          // Whatever becomes of them: one too many only costs a look-up.
          for (const hash of keysIn(rows)) known?.add(hash)
          return session.append(move, rows)
        },
      }
    },
  }
}

function keysIn(rows: BatchRows): Buffer[] {
  const events = rowsOf(rows, eventTable).flatMap(({ idempotencyHash }) => idempotencyHash ?? [])
  return [...events, ...rowsOf(rows, refusalTable).map(({ idempotencyHash }) => idempotencyHash)]
}

function rowsOf<T extends Table>(rows: BatchRows, table: T): readonly RowOf<T>[] {
  // Rows stand under their own table only.
  return (rows.get(table) ?? []) as readonly RowOf<T>[]
}
