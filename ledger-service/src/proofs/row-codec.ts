import { getSqlType, type Table } from '../log/table.ts'

/** Converts the rows of one table to bytes and back. */
export interface RowCodec {
  /**
   * Writes the row at this place of the buffer. Returns the place after the row, or -1 if the
   * buffer is too small.
   */
  write(row: object, target: Buffer, at: number): number
  read(bytes: Buffer, at: number): object
}

/** Writes and reads the value of one column in `size` bytes. */
interface Field {
  size: number
  write(view: DataView, at: number, value: unknown): void
  read(view: DataView, at: number): unknown
}

const INT8: Field = {
  size: 8,
  write: (view, at, value) => view.setBigInt64(at, value as bigint, true),
  read: (view, at) => view.getBigInt64(at, true),
}
const DOUBLE: Field = {
  size: 8,
  write: (view, at, value) => view.setFloat64(at, value as number, true),
  read: (view, at) => view.getFloat64(at, true),
}
const INT4: Field = {
  size: 4,
  write: (view, at, value) => view.setInt32(at, value as number, true),
  read: (view, at) => view.getInt32(at, true),
}
const BOOL: Field = {
  size: 1,
  write: (view, at, value) => view.setUint8(at, value === true ? 1 : 0),
  read: (view, at) => view.getUint8(at) === 1,
}
/** Stores the length of a text. All texts of a row are in one string after its fields. */
const TEXT_LENGTH: Field = {
  size: 4,
  write: (view, at, value) => view.setUint32(at, (value as string).length, true),
  read: (view, at) => view.getUint32(at, true),
}

/**
 * Creates the codec of a table. A row has one byte for each column, which says whether the column
 * is null, then the fields, the length of the texts in bytes, and the texts. This is faster
 * than JSON, whose integers are texts.
 */
export function createRowCodec(table: Table): RowCodec {
  const names = Object.keys(table.columns)
  const fields = Object.values(table.columns).map(createField)
  const isText = fields.map((field) => field === TEXT_LENGTH)
  const fieldsEnd = names.length + fields.reduce((sum, { size }) => sum + size, 0)
  const textsStart = fieldsEnd + TEXT_LENGTH.size

  return {
    write: (row, target, at) => {
      // The cast is safe, because each row of a table has the table's columns.
      const values = row as Readonly<Record<string, unknown>>
      if (at + textsStart > target.length) return -1
      const view = toView(target)
      let place = at + names.length
      let texts = ''
      for (let column = 0; column < names.length; column += 1) {
        const value = values[names[column] ?? '']
        const field = fields[column] ?? BOOL
        view.setUint8(at + column, value === null ? 1 : 0)
        if (value !== null) field.write(view, place, value)
        if (value !== null && isText[column] === true) texts += value as string
        place += field.size
      }
      const start = at + textsStart
      // A character has at most three bytes in UTF-8 for each unit of the string.
      if (start + texts.length * 3 > target.length) return -1
      const bytes = target.write(texts, start)
      view.setUint32(at + fieldsEnd, bytes, true)
      return start + bytes
    },
    read: (bytes, at) => {
      const view = toView(bytes)
      const start = at + textsStart
      const texts = bytes.toString('utf8', start, start + view.getUint32(at + fieldsEnd, true))
      const row: Record<string, unknown> = {}
      let place = at + names.length
      let textAt = 0
      for (let column = 0; column < names.length; column += 1) {
        const field = fields[column] ?? BOOL
        const name = names[column] ?? ''
        if (view.getUint8(at + column) === 1) {
          row[name] = null
        } else if (isText[column] === true) {
          const end = textAt + view.getUint32(place, true)
          row[name] = texts.slice(textAt, end)
          textAt = end
        } else {
          row[name] = field.read(view, place)
        }
        place += field.size
      }
      return row
    },
  }
}

function toView({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

function createField(column: Table['columns'][string]): Field {
  if (typeof column !== 'string') return createChoice(column)
  switch (getSqlType(column)) {
    case 'int8':
      return INT8
    case 'int4':
      return INT4
    case 'timestamptz':
      return DOUBLE
    case 'bool':
      return BOOL
    case 'text':
      return TEXT_LENGTH
    default:
      throw new Error(`no projection has a column of type ${column}`)
  }
}

/** Stores the place of a text in the list of the texts that the column allows. */
function createChoice(choices: readonly string[]): Field {
  return {
    size: 1,
    write: (view, at, value) => {
      const place = choices.indexOf(value as string)
      if (place < 0) throw new RangeError(`"${value}" is not one of ${choices.join(', ')}`)
      view.setUint8(at, place)
    },
    read: (view, at) => choices[view.getUint8(at)],
  }
}
