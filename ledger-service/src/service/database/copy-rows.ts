import type pg from 'pg'

/** Reads the columns of one row in PostgreSQL's binary format, from left to right. */
export interface RowReader {
  /** Returns true and skips the column if the next column is null. */
  isNull(): boolean
  readBool(): boolean
  readInt4(): number
  readInt8(): bigint
  /** Returns microseconds since 1970. Microseconds are the precision of the database. */
  readMicroseconds(): number
  readText(): string
  /** Returns a view of the row buffer, which is valid until the next row is read. */
  readBytes(): Buffer
  readHex(): string
  readHexOrNull(): string | null
  /** Returns null if the column is null. */
  readBase64url(): string | null
}

const SIGNATURE_BYTES = 19
const END = -1
const WAITING_MAX = 4_000
const EPOCH_2000_MICROSECONDS = 946_684_800_000_000

/**
 * Returns the rows of a select in pages. Reads the rows with COPY in binary format, which transfers
 * bytea columns faster than a query. The socket is paused while `WAITING_MAX` rows are buffered, to
 * limit the memory.
 */
export function copyRows<Row>(
  client: pg.ClientBase,
  select: string,
  read: (row: RowReader) => Row,
): AsyncGenerator<readonly Row[]> {
  // The query starts before the first page is requested, so that the server can already sort.
  return readPages(startCopy(client, select, read))
}

async function* readPages<Row>(copying: {
  takeRows(): readonly Row[]
  isOver(): boolean
  waitForRows(): Promise<void>
}): AsyncGenerator<readonly Row[]> {
  for (;;) {
    const rows = copying.takeRows()
    if (rows.length > 0) yield rows
    else if (copying.isOver()) return
    else await copying.waitForRows()
  }
}

function startCopy<Row>(client: pg.ClientBase, select: string, read: (row: RowReader) => Row) {
  const reader = createRowReader()
  let waiting: Row[] = []
  let isOver = false
  let failure: unknown = null
  let wakeReader: () => void = () => {}
  let socket: pg.Connection['stream'] | null = null

  const end = (error: unknown) => {
    isOver = true
    failure ??= error
    wakeReader()
  }
  const copyQuery = {
    submit: (connection: pg.Connection) => {
      socket = connection.stream
      connection.query(`copy (${select}) to stdout (format binary)`)
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      if (!reader.open(chunk)) return
      waiting.push(read(reader))
      if (waiting.length === WAITING_MAX) socket?.pause()
      wakeReader()
    },
    handleError: end,
    handleCommandComplete: () => {},
    handleReadyForQuery: () => end(null),
  }
  client.query(copyQuery)

  return {
    isOver: () => isOver,
    takeRows: () => {
      if (failure !== null) throw failure
      const taken = waiting
      waiting = []
      if (taken.length >= WAITING_MAX) socket?.resume()
      return taken
    },
    waitForRows: () =>
      new Promise<void>((go) => {
        wakeReader = go
      }),
  }
}

function createRowReader() {
  let row: Buffer = Buffer.alloc(0)
  // Integers are read with a view of the whole chunk, because `Buffer.readBigInt64BE` takes four
  // times as long.
  let view = new DataView(row.buffer)
  let at = 0
  let isFirst = true

  /** Moves to the next column and returns its length, or -1 for null. */
  function readSize(): number {
    const size = row.readInt32BE(at)
    at += 4
    return size
  }
  function readEncodedBytes(encoding: 'hex' | 'base64url'): string | null {
    const size = readSize()
    if (size < 0) return null
    at += size
    return row.toString(encoding, at - size, at)
  }
  function readInt8(): bigint {
    at += 12
    if (view.buffer !== row.buffer) view = new DataView(row.buffer)
    return view.getBigInt64(row.byteOffset + at - 8)
  }

  const reader: RowReader & { open(chunk: Buffer): boolean } = {
    // Opens a row and skips its column count. Returns false if the chunk has no row or only the end
    // marker.
    open: (chunk) => {
      row = chunk
      at = isFirst ? SIGNATURE_BYTES : 0
      isFirst = false
      if (at === row.length) return false
      at += 2
      return row.readInt16BE(at - 2) !== END
    },
    isNull: () => {
      const isNull = row.readInt32BE(at) < 0
      if (isNull) at += 4
      return isNull
    },
    readBool: () => {
      at += 5
      return row[at - 1] === 1
    },
    readInt8,
    readInt4: () => {
      at += 8
      return row.readInt32BE(at - 4)
    },
    readMicroseconds: () => {
      at += 12
      const high = row.readInt32BE(at - 8)
      return high * 2 ** 32 + row.readUInt32BE(at - 4) + EPOCH_2000_MICROSECONDS
    },
    readText: () => {
      const size = readSize()
      at += size
      return row.toString('utf8', at - size, at)
    },
    readBytes: () => {
      const size = readSize()
      at += size
      return row.subarray(at - size, at)
    },
    readHex: () => readEncodedBytes('hex') ?? '',
    readHexOrNull: () => readEncodedBytes('hex'),
    readBase64url: () => readEncodedBytes('base64url'),
  }
  return reader
}
