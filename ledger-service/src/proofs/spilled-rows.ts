import { randomInt } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Columns, getSqlType, type Table } from '../log/table.ts'

/**
 * Rows in a temporary file, by table and key. The memory is 24 to 48 bytes for each row, whatever its
 * size.
 */
export interface SpilledRows {
  put(table: Table, key: string, row: object): void
  find(table: Table, key: string): object | null
  /** Returns the row and removes it. */
  take(table: Table, key: string): object | null
  /** Yields all rows that are left. */
  list(): Generator<{ table: Table; row: object }>
  getSize(): number
  close(): void
}

/** A row may be replaced by a longer one, such as one with a larger amount, without being moved. */
const SPARE = 1.25
const HEADER_BYTES = 8
const READ_BYTES = 2_048
const FIRST_SLOTS = 1 << 12
const EMPTY = -1
const REMOVED = -2

export function openSpilledRows(tables: readonly Table[]): SpilledRows {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-rows-'))
  const file = openSync(join(folder, 'rows'), 'w+')
  // The file has no name from here on, so nothing is left of it if the process is killed.
  rmSync(folder, { recursive: true })
  const index = createIndex()
  const places = new Map(tables.map((table, place) => [table, place]))
  let scratch = Buffer.alloc(READ_BYTES)
  let end = 0

  /** Reads the text at this offset and its reserved length. */
  function readText(offset: number): { text: string; reserved: number } {
    let size = readSync(file, scratch, 0, scratch.length, offset)
    const length = scratch.readUInt32LE(0)
    const reserved = scratch.readUInt32LE(4)
    if (HEADER_BYTES + length > scratch.length) {
      scratch = Buffer.alloc(HEADER_BYTES + length)
      size = readSync(file, scratch, 0, scratch.length, offset)
    }
    if (size < HEADER_BYTES + length) throw new Error('the file of spilled rows is too short')
    return { text: scratch.toString('utf8', HEADER_BYTES, HEADER_BYTES + length), reserved }
  }

  function writeText(offset: number, parts: { text: string; reserved: number }): void {
    const bytes = Buffer.allocUnsafe(HEADER_BYTES + parts.reserved)
    const length = bytes.write(parts.text, HEADER_BYTES)
    bytes.writeUInt32LE(length, 0)
    bytes.writeUInt32LE(parts.reserved, 4)
    writeSync(file, bytes, 0, bytes.length, offset)
  }

  // Hashes depend on a random number, so that no one can choose keys that share a hash.
  const seed = randomInt(2 ** 31)
  const hash = (place: number, key: string) => computeHash(key, seed + place)

  const placeOf = (table: Table): number => {
    const place = places.get(table)
    if (place === undefined) throw new Error(`unknown state table ${table.name}`)
    return place
  }

  /** Returns the slot of the row; a negative number if the row is not in the file. */
  function findSlot(table: Table, key: string): number {
    const place = placeOf(table)
    return index.find(hash(place, key), (offset) => {
      const [found, foundKey] = parseEntry(readText(offset).text)
      return found === place && foundKey === key
    })
  }

  function readRow(slot: number): { table: Table; row: object } {
    const [place, , ...values] = parseEntry(readText(index.offsetOf(slot)).text)
    const table = tables[place]
    if (table === undefined) throw new Error(`a spilled row names table ${place}`)
    return { table, row: decodeRow(table.columns, values) }
  }

  return {
    getSize: () => index.getSize(),
    put: (table, key, row) => {
      const text = formatEntry(placeOf(table), key, encodeRow(table.columns, row))
      const length = Buffer.byteLength(text)
      const slot = findSlot(table, key)
      if (slot >= 0) {
        const offset = index.offsetOf(slot)
        const { reserved } = readText(offset)
        if (length <= reserved) return writeText(offset, { text, reserved })
        index.move(slot, end)
      } else {
        index.add(hash(placeOf(table), key), end)
      }
      const reserved = Math.ceil(length * SPARE)
      writeText(end, { text, reserved })
      end += HEADER_BYTES + reserved
    },
    find: (table, key) => {
      const slot = findSlot(table, key)
      return slot < 0 ? null : readRow(slot).row
    },
    take: (table, key) => {
      const slot = findSlot(table, key)
      if (slot < 0) return null
      const { row } = readRow(slot)
      index.remove(slot)
      return row
    },
    *list() {
      for (const slot of index.slots()) yield readRow(slot)
    },
    close: () => closeSync(file),
  }
}

type Entry = readonly [place: number, key: string, ...values: unknown[]]

const formatEntry = (place: number, key: string, values: readonly unknown[]) =>
  JSON.stringify([place, key, ...values])

// The cast holds because only this module writes the file.
const parseEntry = (text: string) => JSON.parse(text) as Entry

function encodeRow(columns: Columns, row: object): readonly unknown[] {
  // The cast holds because each row of a table has the table's columns.
  const values = row as Readonly<Record<string, unknown>>
  return Object.keys(columns).map((name) => {
    const value = values[name]
    return typeof value === 'bigint' ? value.toString() : value
  })
}

function decodeRow(columns: Columns, values: readonly unknown[]): object {
  const row: Record<string, unknown> = {}
  for (const [at, [name, column]] of Object.entries(columns).entries()) {
    const value = values[at]
    const isInteger = getSqlType(column) === 'int8' && value !== null
    row[name] = isInteger ? BigInt(String(value)) : value
  }
  return row
}

interface Hash {
  high: number
  low: number
}

/** Two FNV-1a hashes of 32 bits with different starts. */
function computeHash(text: string, start: number): Hash {
  let high = (0x811c9dc5 ^ start) >>> 0
  let low = (0x01000193 ^ Math.imul(start, 0x9e3779b1)) >>> 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 13
  }
  return { high: high >>> 0, low: low >>> 0 }
}

/** A hash table with linear probing from hashes to offsets. */
function createIndex() {
  let slots = FIRST_SLOTS
  let highs = new Uint32Array(slots)
  let lows = new Uint32Array(slots)
  let offsets = new Float64Array(slots).fill(EMPTY)
  let used = 0
  let size = 0

  function place({ high, low }: Hash, offset: number): void {
    let slot = low & (slots - 1)
    while (offsets[slot] !== EMPTY) slot = (slot + 1) & (slots - 1)
    highs[slot] = high
    lows[slot] = low
    offsets[slot] = offset
  }

  function grow(): void {
    const old = { slots, highs, lows, offsets }
    slots *= 2
    highs = new Uint32Array(slots)
    lows = new Uint32Array(slots)
    offsets = new Float64Array(slots).fill(EMPTY)
    used = size
    for (let slot = 0; slot < old.slots; slot += 1) {
      const offset = old.offsets[slot] ?? EMPTY
      if (offset >= 0) place({ high: old.highs[slot] ?? 0, low: old.lows[slot] ?? 0 }, offset)
    }
  }

  return {
    getSize: () => size,
    find: ({ high, low }: Hash, isSame: (offset: number) => boolean): number => {
      for (let slot = low & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const offset = offsets[slot] ?? EMPTY
        if (offset === EMPTY) return -1
        if (offset < 0 || highs[slot] !== high || lows[slot] !== low) continue
        if (isSame(offset)) return slot
      }
    },
    add: (hash: Hash, offset: number) => {
      if (used * 4 >= slots * 3) grow()
      place(hash, offset)
      used += 1
      size += 1
    },
    move: (slot: number, offset: number) => {
      offsets[slot] = offset
    },
    remove: (slot: number) => {
      offsets[slot] = REMOVED
      size -= 1
    },
    offsetOf: (slot: number) => offsets[slot] ?? EMPTY,
    *slots() {
      for (let slot = 0; slot < slots; slot += 1) if ((offsets[slot] ?? EMPTY) >= 0) yield slot
    },
  }
}
