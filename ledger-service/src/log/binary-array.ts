import type { ColumnType } from './table.ts'

const OID: Record<ColumnType, number> = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int4: 23,
  text: 25,
  timestamptz: 1184,
  jsonb: 25, // bound as text and cast by the statement
}
const EPOCH_2000_MS = 946_684_800_000
const NULL = -1

/** PostgreSQL's binary form of a one-dimensional array: a fifth cheaper for both sides than text. */
export function binaryArray(type: ColumnType, values: readonly unknown[]): Buffer {
  if (values.length === 0) return emptyArray(type)
  const bytes = values.reduce<number>((sum, value) => sum + 4 + sizeOf(type, value), 20)
  const buffer = Buffer.allocUnsafe(bytes)
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  buffer.writeInt32BE(OID[type], 8)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
  let at = 20
  for (const value of values) {
    const size = value === null ? 0 : writeElement(type, value, buffer, at + 4)
    buffer.writeInt32BE(value === null ? NULL : size, at)
    at += 4 + size
  }
  return buffer
}

function emptyArray(type: ColumnType): Buffer {
  const buffer = Buffer.alloc(12)
  buffer.writeInt32BE(OID[type], 8)
  return buffer
}

function sizeOf(type: ColumnType, value: unknown): number {
  if (value === null) return 0
  switch (type) {
    case 'text':
    case 'jsonb':
      return Buffer.byteLength(value as string)
    case 'bytea':
      return (value as Buffer).length
    case 'bool':
      return 1
    case 'int4':
      return 4
    case 'int8':
    case 'timestamptz':
      return 8
  }
}

/** In place: a buffer for each value would cost more than the value. The size that was written. */
function writeElement(type: ColumnType, value: unknown, buffer: Buffer, at: number): number {
  switch (type) {
    case 'text':
    case 'jsonb':
      return buffer.write(value as string, at)
    case 'bytea':
      return (value as Buffer).copy(buffer, at)
    case 'bool':
      return buffer.writeUInt8(value === true ? 1 : 0, at) - at
    case 'int4':
      return buffer.writeInt32BE(value as number, at) - at
    case 'int8':
      return buffer.writeBigInt64BE(value as bigint, at) - at
    case 'timestamptz':
      return buffer.writeBigInt64BE(BigInt((value as number) - EPOCH_2000_MS) * 1000n, at) - at
  }
}
