import type { Model } from './model.ts'
import type { Store, StoreSession } from './store.ts'
import { type BatchRows, getInsertOnly, getKey, type RowOf, type Table } from './table.ts'
import { eventTable, refusalTable } from './tables.ts'

/**
 * A Bloom filter. It reports every key that was added as present. When it is full, it also reports
 * about one absent key in a thousand as present.
 */
export interface KeyFilter {
  /** The number of keys for which the filter is sized. */
  readonly room: number
  add(mark: Mark): void
  mayHave(mark: Mark): boolean
  isFull(): boolean
}

/**
 * Two hashes of a key, from which all positions of the key in the filter are computed. The second
 * hash is odd.
 */
type Mark = readonly [first: number, step: number]

export const HASH_BYTES = 32
const BITS_PER_KEY = 16
const PROBES = 6
const ROOM_MIN = 2 ** 20
/**
 * A filter for this number of keys needs 128 MB. More keys only increase the rate of false
 * positives.
 */
const ROOM_MAX = 2 ** 26

export function createKeyFilter(keys: number): KeyFilter {
  const room = 2 ** Math.ceil(Math.log2(Math.min(keys, ROOM_MAX)))
  const bytes = new Uint8Array((room * BITS_PER_KEY) / 8)
  const mask = bytes.length * 8 - 1
  let added = 0
  return {
    room,
    add: ([first, step]) => {
      let isKnown = true
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = (first + Math.imul(probe, step)) & mask
        const byte = bytes[bit >>> 3] ?? 0
        isKnown &&= (byte & (1 << (bit & 7))) !== 0
        bytes[bit >>> 3] = byte | (1 << (bit & 7))
      }
      // The key of a row is added at each change of the row, but is counted once.
      if (!isKnown) added += 1
    },
    mayHave: ([first, step]) => {
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = (first + Math.imul(probe, step)) & mask
        if (((bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false
      }
      return true
    },
    isFull: () => added > room && room < ROOM_MAX,
  }
}

/** Uses the first 64 bits of the SHA-256 hash at offset `at`. */
export function createHashMark(hashes: Buffer, at = 0): Mark {
  return [hashes.readUInt32LE(at), hashes.readUInt32LE(at + 4) | 1]
}

/**
 * Computes two hashes with different initial values, and applies the finalizer of MurmurHash3 to
 * both.
 */
export function createRowMark(table: Table, key: string): Mark {
  let first = 0x811c9dc5
  let step = 0x9747b28c
  for (const text of [table.name, key]) {
    for (let at = 0; at < text.length; at += 1) {
      first = Math.imul(first ^ text.charCodeAt(at), 0x01000193)
      step = Math.imul(step ^ text.charCodeAt(at), 0x5bd1e995)
      step ^= step >>> 15
    }
  }
  return [finalizeHash(first), finalizeHash(step) | 1]
}

function finalizeHash(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

/**
 * Creates a store that skips lookups of idempotency keys and rows that cannot exist. If another
 * writer may have added keys, the store fills the filter again.
 */
export function createKeyFilteringStore(
  store: Store,
  options: Pick<Model, 'tables' | 'pinned'> & { roomMin?: number },
): Store {
  const { pinned, roomMin = ROOM_MIN } = options
  const tables = options.tables.filter((table) => !pinned.includes(table))
  let known: KeyFilter | null = null
  /** False while the filter is being filled; all lookups then go to the database. */
  let isComplete = false
  let token: bigint | null = null

  /** Fills a new filter and replaces the current filter. */
  async function fillFilter(session: StoreSession, keys: number): Promise<void> {
    const filter = createKeyFilter(Math.max(keys, roomMin))
    known = filter
    isComplete = false
    try {
      for await (const mark of readMarks(session)) {
        if (known !== filter) return
        for (const each of mark) filter.add(each)
      }
      if (known === filter) isComplete = true
    } catch {
      // The session has ended. The next `takeHead` fills the filter again.
    }
  }

  async function* readMarks(session: StoreSession): AsyncGenerator<Iterable<Mark>> {
    for await (const hashes of session.readUsedKeys()) yield listMarks(hashes)
    for (const table of tables) {
      for await (const keys of session.readRowKeys(table)) {
        yield keys.map((key) => createRowMark(table, key))
      }
    }
  }

  function isNew(mark: Mark): boolean {
    return isComplete && known?.mayHave(mark) === false
  }

  return {
    open: async () => {
      const session = await store.open()
      return {
        ...session,
        takeHead: async (nowMs) => {
          const head = await session.takeHead(nowMs)
          const hasNoOtherWriter = token !== null && head.previousToken === token
          token = head.token
          // The filter gets room for twice the current number of events, at one key and one row per
          // event.
          if (!isComplete || !hasNoOtherWriter)
            void fillFilter(session, 4 * Number(head.frontier.size))
          return head
        },
        loadSettled: async (hashes) => {
          const asked = hashes.filter((hash) => !isNew(createHashMark(hash)))
          return asked.length === 0 ? { events: [], refusals: [] } : session.loadSettled(asked)
        },
        loadRows: async (table, keys) => {
          if (!tables.includes(table)) return session.loadRows(table, keys)
          const asked = keys.filter((key) => !isNew(createRowMark(table, key)))
          return asked.length === 0 ? [] : session.loadRows(table, asked)
        },
        append: (move, rows) => {
          if (known?.isFull()) void fillFilter(session, 2 * known.room)
          // The keys are added before the outcome of the append is known. If the append fails, a
          // superfluous key only costs a lookup.
          for (const hash of listKeys(rows)) known?.add(createHashMark(hash))
          for (const table of tables) {
            for (const row of rows.get(getInsertOnly(table)) ?? [])
              known?.add(createRowMark(table, getRowKey(table, row)))
          }
          return session.append(move, rows)
        },
      }
    },
  }
}

function* listMarks(hashes: Buffer): Generator<Mark> {
  for (let at = 0; at < hashes.length; at += HASH_BYTES) yield createHashMark(hashes, at)
}

function listKeys(rows: BatchRows): Buffer[] {
  const events = getRows(rows, eventTable).flatMap(({ idempotencyHash }) => idempotencyHash ?? [])
  return [...events, ...getRows(rows, refusalTable).map(({ idempotencyHash }) => idempotencyHash)]
}

function getRowKey(table: Table, row: object): string {
  // The cast holds because each row of a table has the table's columns.
  return getKey(table, row as Readonly<Record<string, unknown>>)
}

function getRows<T extends Table>(rows: BatchRows, table: T): readonly RowOf<T>[] {
  // The cast holds because the map stores rows under their own table.
  return (rows.get(table) ?? []) as readonly RowOf<T>[]
}
