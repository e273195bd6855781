import { randomInt } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Table } from '../log/table.ts'
import { computeHash, createHashIndex } from './hash-index.ts'
import { createRowCodec, type RowCodec } from './row-codec.ts'

/**
 * Stores rows in a compact form and finds them by table and key. The first rows are in memory, up
 * to `MEMORY_BYTES`, and all further rows are in a temporary file. The index of all rows is in
 * memory and takes 21 to 43 bytes for each row, regardless of the size of the row.
 */
export interface SpilledRows {
  put(table: Table, key: string, row: object): void
  find(table: Table, key: string): object | null
  /** Removes a row and returns it. Returns null if there is no such row. */
  take(table: Table, key: string): object | null
  /** Yields all remaining rows. */
  list(): Generator<{ table: Table; row: object }>
  getSize(): number
  countRows(table: Table): number
  close(): void
}

/** Four numbers: the lengths of key, row and reserved space, and the number of the table. */
const HEADER_BYTES = 16
/** The number of bytes in one read. Most entries are shorter than this number. */
const READ_BYTES = 512
const BLOCK_BYTES = 4 * 1_024 * 1_024
const MEMORY_BYTES = 24 * BLOCK_BYTES

export function createSpilledRows(tables: readonly Table[]): SpilledRows {
  const space = createSpace()
  const index = createHashIndex()
  const parts = tables.map(
    (table, number): Part => ({ table, number, rows: 0, codec: createRowCodec(table) }),
  )
  const partsByTable = new Map(parts.map((part) => [part.table, part]))
  const formatEntry = createEntryFormat()
  // Hashes depend on a random number, so that no one can choose keys that share a hash.
  const seed = randomInt(2 ** 31)

  const getPart = (table: Table): Part => {
    const part = partsByTable.get(table)
    if (part === undefined) throw new Error(`unknown state table ${table.name}`)
    return part
  }

  /** Returns the slot of the row; a negative number if there is no such row. */
  function findSlot({ number }: Part, key: string): number {
    return index.find(computeHash(key, seed + number), (offset) => {
      const entry = space.read(offset, READ_BYTES)
      if (entry.readUInt32LE(12) !== number) return false
      const keyEnd = HEADER_BYTES + entry.readUInt32LE(0)
      const whole = keyEnd > READ_BYTES ? space.read(offset, keyEnd) : entry
      return whole.toString('utf8', HEADER_BYTES, keyEnd) === key
    })
  }

  function readRow(slot: number): { table: Table; row: object } {
    const offset = index.getOffset(slot)
    const entry = space.read(offset, READ_BYTES)
    const start = HEADER_BYTES + entry.readUInt32LE(0)
    const size = start + entry.readUInt32LE(4)
    const part = parts[entry.readUInt32LE(12)]
    if (part === undefined) throw new Error('a spilled row names no table')
    const whole = size > READ_BYTES ? space.read(offset, size) : entry
    return { table: part.table, row: part.codec.read(whole, start) }
  }

  return {
    getSize: () => index.getSize(),
    countRows: (table) => getPart(table).rows,
    put: (table, key, row) => {
      const part = getPart(table)
      const slot = findSlot(part, key)
      const known = slot < 0 ? null : index.getOffset(slot)
      const reserved = known === null ? 0 : space.read(known, HEADER_BYTES).readUInt32LE(8)
      const entry = formatEntry(part, { key, row, reserved })
      if (known !== null && entry.readUInt32LE(8) === reserved) {
        space.write(known, entry)
        return
      }
      const offset = space.append(entry)
      if (known === null) {
        index.add(computeHash(key, seed + part.number), offset)
        part.rows += 1
      } else {
        index.move(slot, offset)
      }
    },
    find: (table, key) => {
      const slot = findSlot(getPart(table), key)
      return slot < 0 ? null : readRow(slot).row
    },
    take: (table, key) => {
      const part = getPart(table)
      const slot = findSlot(part, key)
      if (slot < 0) return null
      const { row } = readRow(slot)
      index.remove(slot)
      part.rows -= 1
      return row
    },
    *list() {
      for (const slot of index.listSlots()) yield readRow(slot)
    },
    close: () => space.close(),
  }
}

/** One table: its number in the entries, the number of its stored rows, and its codec. */
interface Part {
  table: Table
  number: number
  rows: number
  codec: RowCodec
}

/**
 * Returns a function that formats an entry. Its result is valid until the next call. The reserved
 * space of the entry is `reserved` if the row fits into it, and otherwise the size of the row.
 */
function createEntryFormat() {
  let bytes = Buffer.alloc(READ_BYTES)
  return (
    { codec, number }: Part,
    { key, row, reserved }: { key: string; row: object; reserved: number },
  ): Buffer => {
    for (;;) {
      const keyBytes = Buffer.byteLength(key)
      const start = HEADER_BYTES + keyBytes
      const end = start < bytes.length ? codec.write(row, bytes, start) : -1
      if (end >= 0) {
        bytes.write(key, HEADER_BYTES)
        bytes.writeUInt32LE(keyBytes, 0)
        bytes.writeUInt32LE(end - start, 4)
        bytes.writeUInt32LE(Math.max(end - start, reserved), 8)
        bytes.writeUInt32LE(number, 12)
        return bytes.subarray(0, end)
      }
      bytes = Buffer.alloc(bytes.length * 2)
    }
  }
}

/** Stores the first `MEMORY_BYTES` bytes in memory and all further bytes in a temporary file. */
function createSpace() {
  const blocks: Buffer[] = []
  let file: number | null = null
  let scratch = Buffer.alloc(READ_BYTES)
  /** The place and the number of the bytes of the file that are in `scratch`. */
  let scratchFrom = -1
  let scratchSize = 0
  let end = 0

  /** Returns the block of this offset; undefined if the offset is in the file. */
  const findBlock = (offset: number) => blocks[Math.floor(offset / BLOCK_BYTES)]

  function write(offset: number, bytes: Buffer): void {
    const block = findBlock(offset)
    if (block !== undefined) {
      bytes.copy(block, offset % BLOCK_BYTES)
      return
    }
    if (file !== null) writeSync(file, bytes, 0, bytes.length, offset - MEMORY_BYTES)
    if (offset === scratchFrom) scratchFrom = -1
  }

  return {
    write,
    /** Returns up to `size` bytes from this offset, which are valid until the next call. */
    read: (offset: number, size: number): Buffer => {
      const block = findBlock(offset)
      const at = offset % BLOCK_BYTES
      if (block !== undefined) return block.subarray(at, at + size)
      if (offset === scratchFrom && size <= scratchSize) return scratch
      if (size > scratch.length) scratch = Buffer.alloc(size)
      if (file !== null) readSync(file, scratch, 0, size, offset - MEMORY_BYTES)
      scratchFrom = offset
      scratchSize = size
      return scratch
    },
    append: (bytes: Buffer): number => {
      // An entry does not cross the end of a block.
      if ((end % BLOCK_BYTES) + bytes.length > BLOCK_BYTES) {
        end = Math.ceil(end / BLOCK_BYTES) * BLOCK_BYTES
      }
      if (end < MEMORY_BYTES) {
        if (findBlock(end) === undefined) blocks.push(Buffer.alloc(BLOCK_BYTES))
      } else {
        file ??= openUnnamedFile()
      }
      const offset = end
      write(offset, bytes)
      end += bytes.length
      return offset
    },
    close: () => {
      if (file !== null) closeSync(file)
    },
  }
}

/** Opens a file that has no name, so the file disappears if the process is killed. */
function openUnnamedFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-rows-'))
  const file = openSync(join(folder, 'rows'), 'w+')
  rmSync(folder, { recursive: true })
  return file
}
