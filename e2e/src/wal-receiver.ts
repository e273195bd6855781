import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { formatSegment, parsePosition, SEGMENT_BYTES } from '../../local/src/backup/segments.ts'

/** The part of a connection of node-postgres that its types leave out. */
interface ReplicationConnection {
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void
  sendCopyFromChunk(chunk: Buffer): void
}

const WAL_DATA = 'w'.charCodeAt(0)
const STATUS_UPDATE = 'r'.charCodeAt(0)
/** Type, start, end and time come before the bytes of the log. */
const WAL_HEADER_BYTES = 25
const STATUS_BYTES = 34
const SEGMENT = BigInt(SEGMENT_BYTES)

/** Receives the write-ahead log of a server while the server writes it. */
export interface WalReceiver {
  /** The position up to which the received log is on the disk. */
  getFlushed(): bigint
  stop(): Promise<void>
}

/**
 * Writes the log of the server into the folder `into`, from the present segment on. The receiver is
 * a standby with the given name. If the server names it in `synchronous_standby_names`, a commit is
 * confirmed only after its log is on the disk of the receiver.
 */
export async function startWalReceiver(options: {
  url: string
  name: string
  into: string
}): Promise<WalReceiver> {
  await mkdir(options.into, { recursive: true })
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.name,
    // The cast is safe, because node-postgres sends this parameter to the server; its types lack it.
    ...({ replication: 'true' } as object),
  })
  client.on('error', () => {})
  await client.connect()
  // The server knows these commands only in capitals.
  const { rows } = await client.query('IDENTIFY_SYSTEM')
  const { timeline, xlogpos } = rows[0]
  const start = (parsePosition(xlogpos) / SEGMENT) * SEGMENT
  // The cast is safe, because each client has a connection; the types of node-postgres lack it.
  const { connection } = client as unknown as { connection: ReplicationConnection }
  const files = new Map<bigint, FileHandle>()
  let waiting: Buffer[] = []
  let flushed = start
  let isStopped = false
  let writing: Promise<void> | null = null

  connection.on('copyData', ({ chunk }) => {
    if (chunk[0] === WAL_DATA) waiting.push(chunk)
    writing ??= writeAll().finally(() => {
      writing = null
    })
  })

  /** Writes the received log, and confirms it to the server after it is on the disk. */
  async function writeAll(): Promise<void> {
    do {
      const taken = waiting
      waiting = []
      let end = flushed
      for (const chunk of taken) {
        const bytes = chunk.subarray(WAL_HEADER_BYTES)
        const from = chunk.readBigInt64BE(1)
        await write(bytes, from)
        end = from + BigInt(bytes.length)
      }
      for (const [number, file] of files) {
        await file.datasync()
        if ((number + 1n) * SEGMENT > end) continue
        await file.close()
        files.delete(number)
      }
      flushed = end
      if (!isStopped) connection.sendCopyFromChunk(formatStatus(flushed))
    } while (waiting.length > 0)
  }

  /** Writes bytes that can begin in one segment and end in the next. */
  async function write(bytes: Buffer, from: bigint): Promise<void> {
    const offset = Number(from % SEGMENT)
    const fitting = bytes.subarray(0, SEGMENT_BYTES - offset)
    const file = await openSegment(from / SEGMENT)
    await file.write(fitting, 0, fitting.length, offset)
    const rest = bytes.subarray(fitting.length)
    if (rest.length > 0) await write(rest, from + BigInt(fitting.length))
  }

  async function openSegment(number: bigint): Promise<FileHandle> {
    const known = files.get(number)
    if (known !== undefined) return known
    const name = formatSegment({ timeline: Number(timeline), number: Number(number) })
    const file = await open(join(options.into, name), 'w')
    // PostgreSQL reads whole segments. The rest of a segment is zeros.
    await file.truncate(SEGMENT_BYTES)
    files.set(number, file)
    return file
  }

  // The query ends only with the connection.
  client
    .query(`START_REPLICATION PHYSICAL ${formatPosition(start)} TIMELINE ${timeline}`)
    .catch(() => {})
  return {
    getFlushed: () => flushed,
    stop: async () => {
      isStopped = true
      await client.end().catch(() => {})
      await writing
      for (const file of files.values()) await file.close()
    },
  }
}

/** Tells the server which part of its log is on the disk. */
function formatStatus(flushed: bigint): Buffer {
  const message = Buffer.alloc(STATUS_BYTES)
  message[0] = STATUS_UPDATE
  for (const offset of [1, 9, 17]) message.writeBigInt64BE(flushed, offset)
  return message
}

function formatPosition(position: bigint): string {
  const high = position >> 32n
  const low = position & 0xffffffffn
  return `${high.toString(16)}/${low.toString(16)}`.toUpperCase()
}
