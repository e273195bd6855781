import { randomInt } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getSqlType, type Table } from '../log/table.ts'
import { computeHash, createHashIndex } from './hash-index.ts'

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

/** The reserved space of a row, divided by the size of the row, so that a longer version fits. */
const SPARE = 1.25
/** Four numbers: the lengths of key, values and reserved space, and the number of the table. */
const HEADER_BYTES = 16
/** The number of bytes in one read. Most entries are shorter than this number. */
const READ_BYTES = 1_024
const BLOCK_BYTES = 4 * 1_024 * 1_024
const MEMORY_BYTES = 24 * BLOCK_BYTES

export function createSpilledRows(tables: readonly Table[]): SpilledRows {
  const space = createSpace()
  const index = createHashIndex()
  const codecs = new Map(tables.map((table, number) => [table, createCodec(table, number)]))
  const codecsByNumber = [...codecs.values()]
  // Hashes depend on a random number, so that no one can choose keys that share a hash.
  const seed = randomInt(2 ** 31)

  const getCodec = (table: Table): Codec => {
    const codec = codecs.get(table)
    if (codec === undefined) throw new Error(`unknown state table ${table.name}`)
    return codec
  }

  /** Returns the slot of the row; a negative number if there is no such row. */
  function findSlot({ number }: Codec, key: string): number {
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
    const codec = codecsByNumber[entry.readUInt32LE(12)]
    if (codec === undefined) throw new Error('a spilled row names no table')
    const whole = size > READ_BYTES ? space.read(offset, size) : entry
    return { table: codec.table, row: codec.decode(whole.toString('utf8', start, size)) }
  }

  return {
    getSize: () => index.getSize(),
    countRows: (table) => getCodec(table).rows,
    put: (table, key, row) => {
      const codec = getCodec(table)
      const text = codec.encode(row)
      const textBytes = Buffer.byteLength(text)
      const slot = findSlot(codec, key)
      const known = slot < 0 ? null : index.getOffset(slot)
      const reserved = known === null ? 0 : space.read(known, HEADER_BYTES).readUInt32LE(8)
      if (known !== null && textBytes <= reserved) {
        space.write(known, formatEntry({ number: codec.number, key, text, reserved }))
        return
      }
      const entry = formatEntry({
        number: codec.number,
        key,
        text,
        reserved: Math.ceil(textBytes * SPARE),
      })
      const offset = space.append(entry)
      if (known === null) {
        index.add(computeHash(key, seed + codec.number), offset)
        codec.rows += 1
      } else {
        index.move(slot, offset)
      }
    },
    find: (table, key) => {
      const slot = findSlot(getCodec(table), key)
      return slot < 0 ? null : readRow(slot).row
    },
    take: (table, key) => {
      const codec = getCodec(table)
      const slot = findSlot(codec, key)
      if (slot < 0) return null
      const { row } = readRow(slot)
      index.remove(slot)
      codec.rows -= 1
      return row
    },
    *list() {
      for (const slot of index.listSlots()) yield readRow(slot)
    },
    close: () => space.close(),
  }
}

/** Formats one entry, with spare bytes at its end. */
function formatEntry(parts: {
  number: number
  key: string
  text: string
  reserved: number
}): Buffer {
  const { number, key, text, reserved } = parts
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(key) + reserved)
  const keyBytes = bytes.write(key, HEADER_BYTES)
  bytes.writeUInt32LE(keyBytes, 0)
  bytes.writeUInt32LE(bytes.write(text, HEADER_BYTES + keyBytes), 4)
  bytes.writeUInt32LE(reserved, 8)
  bytes.writeUInt32LE(number, 12)
  return bytes
}

/** Stores the first `MEMORY_BYTES` bytes in memory and all further bytes in a temporary file. */
function createSpace() {
  const blocks: Buffer[] = []
  let file: number | null = null
  let scratch = Buffer.alloc(READ_BYTES)
  let end = 0

  /** Returns the block of this offset; undefined if the offset is in the file. */
  const findBlock = (offset: number) => blocks[Math.floor(offset / BLOCK_BYTES)]

  function write(offset: number, bytes: Buffer): void {
    const block = findBlock(offset)
    if (block !== undefined) bytes.copy(block, offset % BLOCK_BYTES)
    else if (file !== null) writeSync(file, bytes, 0, bytes.length, offset - MEMORY_BYTES)
  }

  return {
    write,
    /** Returns up to `size` bytes from this offset, which are valid until the next call. */
    read: (offset: number, size: number): Buffer => {
      const block = findBlock(offset)
      const at = offset % BLOCK_BYTES
      if (block !== undefined) return block.subarray(at, at + size)
      if (size > scratch.length) scratch = Buffer.alloc(size)
      if (file !== null) readSync(file, scratch, 0, size, offset - MEMORY_BYTES)
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

interface Codec {
  table: Table
  number: number
  /** The number of stored rows of the table. */
  rows: number
  encode(row: object): string
  decode(text: string): object
}

function createCodec(table: Table, number: number): Codec {
  const names = Object.keys(table.columns)
  const integers = Object.values(table.columns).map((column) => getSqlType(column) === 'int8')
  return {
    table,
    number,
    rows: 0,
    encode: (row) => {
      // The cast is safe, because each row of a table has the table's columns.
      const values = row as Readonly<Record<string, unknown>>
      return JSON.stringify(
        names.map((name) => {
          const value = values[name]
          return typeof value === 'bigint' ? value.toString() : value
        }),
      )
    },
    decode: (text) => {
      // The cast is safe, because only `encode` writes the text.
      const values = JSON.parse(text) as unknown[]
      const row: Record<string, unknown> = {}
      for (const [at, name] of names.entries()) {
        const value = values[at]
        row[name] = integers[at] === true && value !== null ? BigInt(String(value)) : value
      }
      return row
    },
  }
}
