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
  const elements = values.map((value) => (value === null ? null : element(type, value)))
  const bytes = elements.reduce((sum, item) => sum + 4 + (item?.length ?? 0), 20)
  if (values.length === 0) return emptyArray(type)

  const buffer = Buffer.allocUnsafe(bytes)
  let at = 0
  const int32 = (value: number) => {
    at = buffer.writeInt32BE(value, at)
  }
  int32(1)
  int32(elements.includes(null) ? 1 : 0)
  int32(OID[type])
  int32(values.length)
  int32(1)
  for (const item of elements) {
    int32(item?.length ?? NULL)
    if (item !== null) at += item.copy(buffer, at)
  }
  return buffer
}

function emptyArray(type: ColumnType): Buffer {
  const buffer = Buffer.alloc(12)
  buffer.writeInt32BE(OID[type], 8)
  return buffer
}

function element(type: ColumnType, value: unknown): Buffer {
  switch (type) {
    case 'text':
    case 'jsonb':
      return Buffer.from(value as string, 'utf8')
    case 'bytea':
      return value as Buffer
    case 'bool':
      return Buffer.from([value === true ? 1 : 0])
    case 'int4':
      return write(4, (buffer) => buffer.writeInt32BE(value as number))
    case 'int8':
      return write(8, (buffer) => buffer.writeBigInt64BE(value as bigint))
    case 'timestamptz':
      return write(8, (buffer) =>
        buffer.writeBigInt64BE(BigInt((value as number) - EPOCH_2000_MS) * 1000n),
      )
  }
}

function write(bytes: number, fill: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.allocUnsafe(bytes)
  fill(buffer)
  return buffer
}
