import type pg from 'pg'

/** Reads the columns of one row in PostgreSQL's binary format, from left to right. */
export interface RowReader {
  /** Returns whether the next column is null. If it is, skips it. */
  isNull(): boolean
  bool(): boolean
  int4(): number
  int8(): bigint
  /** Returns microseconds since 1970, the precision of the database. */
  microseconds(): number
  text(): string
  /** Returns a view of the row buffer, which is valid until the next row is read. */
  bytes(): Buffer
  hex(): string
  hexOrNull(): string | null
}

const SIGNATURE_BYTES = 19
const END = -1
const WAITING_MAX = 4_000
const EPOCH_2000_MICROSECONDS = 946_684_800_000_000

/**
 * Returns the rows of a select in pages, read with COPY in binary format, which is faster for
 * bytea. The socket is paused while `WAITING_MAX` rows are buffered, to limit the memory.
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
  take(): readonly Row[]
  isOver(): boolean
  more(): Promise<void>
}): AsyncGenerator<readonly Row[]> {
  for (;;) {
    const rows = copying.take()
    if (rows.length > 0) yield rows
    else if (copying.isOver()) return
    else await copying.more()
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
    take: () => {
      if (failure !== null) throw failure
      const taken = waiting
      waiting = []
      if (taken.length >= WAITING_MAX) socket?.resume()
      return taken
    },
    more: () =>
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
  function hexOrNull(): string | null {
    const size = readSize()
    if (size < 0) return null
    at += size
    return row.toString('hex', at - size, at)
  }
  function int8(): bigint {
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
    bool: () => {
      at += 5
      return row[at - 1] === 1
    },
    int8,
    int4: () => {
      at += 8
      return row.readInt32BE(at - 4)
    },
    microseconds: () => {
      at += 12
      const high = row.readInt32BE(at - 8)
      return high * 2 ** 32 + row.readUInt32BE(at - 4) + EPOCH_2000_MICROSECONDS
    },
    text: () => {
      const size = readSize()
      at += size
      return row.toString('utf8', at - size, at)
    },
    bytes: () => {
      const size = readSize()
      at += size
      return row.subarray(at - size, at)
    },
    hex: () => hexOrNull() ?? '',
    hexOrNull,
  }
  return reader
}
