import type { ColumnType } from './table.ts'

const OID: Record<ColumnType, number> = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int4: 23,
  text: 25,
  timestamptz: 1184,
  jsonb: 25, // jsonb values are sent as text, and the statement casts them
}
const EPOCH_2000_MS = 946_684_800_000
const HEADER_BYTES = 20
const NULL = -1

/**
 * Encodes a one-dimensional array in PostgreSQL's binary format, which is cheaper to process than
 * text. Throws a RangeError for a number that is out of range for its type.
 */
export function encodeBinaryArray(type: ColumnType, values: readonly unknown[]): Buffer {
  switch (type) {
    case 'text':
    case 'jsonb':
      return encodeTextArray(values as readonly (string | null)[])
    case 'bytea':
      return encodeByteArray(type, values as readonly (Uint8Array | null)[])
    case 'bool':
      return encodeFixedArray(type, values as readonly (boolean | null)[], 1, (view, at, value) =>
        view.setUint8(at, value ? 1 : 0),
      )
    case 'int4':
      return encodeFixedArray(type, values as readonly (number | null)[], 4, writeInt4)
    case 'int8':
      return encodeFixedArray(type, values as readonly (bigint | null)[], 8, writeInt8)
    case 'timestamptz':
      return encodeFixedArray(type, values as readonly (number | null)[], 8, writeInstant)
  }
}

/** `DataView` truncates larger values silently, so the range is checked. */
function writeInt4(view: DataView, at: number, value: number): void {
  if ((value | 0) !== value) throw new RangeError(`${value} is out of range for int4`)
  view.setInt32(at, value)
}

function writeInt8(view: DataView, at: number, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} is out of range for int8`)
  view.setBigInt64(at, value)
}

/** Microseconds since 2000 are safe integers until the year 2285. */
function writeInstant(view: DataView, at: number, ms: number): void {
  const micros = (ms - EPOCH_2000_MS) * 1_000
  if (!Number.isSafeInteger(micros)) throw new RangeError(`${ms} is out of range for timestamptz`)
  view.setInt32(at, Math.floor(micros / 2 ** 32))
  view.setUint32(at + 4, micros % 2 ** 32)
}

function encodeFixedArray<T>(
  type: ColumnType,
  values: readonly (T | null)[],
  size: number,
  write: (view: DataView, at: number, value: T) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * (4 + size))
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
  let at = HEADER_BYTES
  for (const value of values) {
    view.setInt32(at, value === null ? NULL : size)
    at += 4
    if (value === null) continue
    write(view, at, value)
    at += size
  }
  return writeHeader(buffer.subarray(0, at), type, values)
}

const ASCII = /^[\0-\x7f]*$/
const LENGTH_MAX = 0xffff
const NULL_TEXT = '\xff\xff\xff\xff'

/** If all texts are short and ASCII, as most texts are, one write encodes all lengths and bytes. */
function encodeTextArray(values: readonly (string | null)[]): Buffer {
  let all = ''
  for (const value of values) {
    if (value === null) all += NULL_TEXT
    else if (value.length <= LENGTH_MAX && ASCII.test(value)) {
      all += String.fromCharCode(0, 0, value.length >> 8, value.length & 0xff) + value
    } else {
      return encodeByteArray(
        'text',
        values.map((text) => (text === null ? null : Buffer.from(text))),
      )
    }
  }
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + all.length)
  buffer.write(all, HEADER_BYTES, 'latin1')
  return writeHeader(buffer, 'text', values)
}

function encodeByteArray(type: ColumnType, values: readonly (Uint8Array | null)[]): Buffer {
  const size = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), HEADER_BYTES)
  const buffer = Buffer.allocUnsafe(size)
  let at = HEADER_BYTES
  for (const value of values) {
    at = buffer.writeInt32BE(value?.length ?? NULL, at)
    if (value === null) continue
    buffer.set(value, at)
    at += value.length
  }
  return writeHeader(buffer, type, values)
}

function writeHeader(buffer: Buffer, type: ColumnType, values: readonly unknown[]): Buffer {
  const isEmpty = values.length === 0
  buffer.writeInt32BE(isEmpty ? 0 : 1, 0)
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  buffer.writeInt32BE(OID[type], 8)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
  return isEmpty ? buffer.subarray(0, 12) : buffer
}
