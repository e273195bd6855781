import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { syncFolder } from '@cairn/service-kit/durable-file'
import { FORMAT, seal, unseal } from './seal.ts'

/** What one installation consists of, as the last record of an archive. */
export interface Manifest extends Description {
  readonly format: number
  readonly parts: readonly PartNote[]
}

export interface Description {
  /** A random name of this export. The mark of the exported installation contains it too. */
  readonly id: string
  readonly exportedAt: string
  readonly cairn: string
  readonly ledgers: readonly { ledger: number; size: string; root: string }[]
  readonly migrations: readonly { name: string; sha256: string }[]
  /** The version of pg-boss's tables in each schema of jobs; null if it has no tables. */
  readonly jobTables: Readonly<Record<string, number | null>>
}

interface PartNote {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export interface Part {
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

/** Receives the content of one part. `end` is called after the last block. */
export interface PartSink {
  write(block: Buffer): Promise<void>
  end(): Promise<void>
}

const FILE_MODE = 0o600
// A record has a byte for its kind, four bytes for its length, and its content.
const KINDS = { part: 1, block: 2, end: 3, manifest: 4 } as const
const PREFIX_BYTES = 5
const RECORD_BYTES_MAX = 256 * 1024 ** 2
const DAMAGED = 'it is damaged: its content contradicts its list of parts'

/**
 * Gives a checked archive its final name. If the name cannot be flushed, removes the archive, because
 * the installation then runs on and must not run in a second place. A test replaces `sync`.
 */
export async function nameArchive(archive: {
  draft: string
  file: string
  sync?: (folder: string) => Promise<void>
}): Promise<void> {
  const { draft, file, sync = syncFolder } = archive
  await rename(draft, file)
  try {
    await sync(dirname(file))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/** Writes an archive that only its owner can read, encrypted. Returns its manifest. */
export async function writeArchive(archive: {
  file: string
  passphrase: string
  description: Description
  parts: AsyncIterable<Part>
}): Promise<Manifest> {
  const { file, passphrase, description } = archive
  const notes: PartNote[] = []
  const manifest = { format: FORMAT, ...description, parts: notes }
  async function* writeRecords() {
    for await (const { name, content } of archive.parts) {
      yield formatRecord('part', Buffer.from(name))
      const hash = createHash('sha256')
      let bytes = 0
      for await (const block of content) {
        hash.update(block)
        bytes += block.length
        yield formatRecord('block', block)
      }
      yield formatRecord('end', Buffer.alloc(0))
      notes.push({ name, bytes, sha256: hash.digest('hex') })
    }
    yield formatRecord('manifest', Buffer.from(JSON.stringify(manifest)))
  }
  await pipeline(
    writeRecords,
    createGzip(),
    (source: AsyncIterable<Buffer>) => seal(source, passphrase),
    createWriteStream(file, { flags: 'wx', mode: FILE_MODE, flush: true }),
  )
  return manifest
}

/**
 * Reads an archive to its end, and passes the content of each part to the sink that `openPart`
 * returns. Returns the manifest after each part was compared with it. Throws the failure of a sink,
 * or if the archive is damaged, but possibly after parts were passed on.
 */
export async function readArchive(archive: {
  file: string
  passphrase: string
  openPart: (name: string) => Promise<PartSink>
}): Promise<Manifest> {
  const { file, passphrase, openPart } = archive
  let sinkFailure: unknown = null
  const keepFailure = (error: unknown) => {
    sinkFailure = error
    throw error
  }
  const reader = createReader(async (name) => {
    const sink = await openPart(name).catch(keepFailure)
    return {
      write: (block) => sink.write(block).catch(keepFailure),
      end: () => sink.end().catch(keepFailure),
    }
  })
  try {
    await stat(file)
    await pipeline(
      createReadStream(file),
      (source: AsyncIterable<Buffer>) => unseal(source, passphrase),
      createGunzip(),
      async (source: AsyncIterable<Buffer>) => {
        for await (const record of readRecords(source)) await reader.take(record)
      },
    )
    return reader.finish()
  } catch (error) {
    if (sinkFailure !== null) throw sinkFailure
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} cannot be used: ${reason}`, { cause: error })
  }
}

/** Checks an archive to its last byte without using its content. */
export function checkArchive(archive: { file: string; passphrase: string }): Promise<Manifest> {
  const openPart = async () => ({ write: async () => {}, end: async () => {} })
  return readArchive({ ...archive, openPart })
}

interface ArchiveRecord {
  readonly kind: number
  readonly content: Buffer
}

interface OpenPart {
  readonly name: string
  readonly hash: Hash
  readonly sink: PartSink
  bytes: number
}

/** Passes the records to the sinks of their parts, and remembers what it has read. */
function createReader(openPart: (name: string) => Promise<PartSink>) {
  const found: PartNote[] = []
  let open: OpenPart | null = null
  let manifest: Manifest | null = null

  return {
    take: async ({ kind, content }: ArchiveRecord): Promise<void> => {
      if (manifest !== null) throw new Error(DAMAGED)
      if (kind === KINDS.part && open === null) {
        const name = content.toString('utf8')
        open = { name, hash: createHash('sha256'), sink: await openPart(name), bytes: 0 }
      } else if (kind === KINDS.block && open !== null) {
        open.hash.update(content)
        open.bytes += content.length
        await open.sink.write(content)
      } else if (kind === KINDS.end && open !== null) {
        const { name, bytes, hash, sink } = open
        await sink.end()
        found.push({ name, bytes, sha256: hash.digest('hex') })
        open = null
      } else if (kind === KINDS.manifest && open === null) {
        // The cast is safe because only `writeArchive` with the same passphrase writes a manifest
        // of this format.
        manifest = JSON.parse(content.toString('utf8')) as Manifest
      } else {
        throw new Error(DAMAGED)
      }
    },
    finish: (): Manifest => {
      if (manifest === null) throw new Error(DAMAGED)
      if (JSON.stringify(manifest.parts) !== JSON.stringify(found)) throw new Error(DAMAGED)
      return manifest
    },
  }
}

function formatRecord(kind: keyof typeof KINDS, content: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix[0] = KINDS[kind]
  prefix.writeUInt32BE(content.length, 1)
  return Buffer.concat([prefix, content])
}

async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<ArchiveRecord> {
  let waiting: Buffer[] = []
  let bytes = 0
  let needed = PREFIX_BYTES
  for await (const block of source) {
    waiting.push(block)
    bytes += block.length
    if (bytes < needed) continue
    let rest = Buffer.concat(waiting)
    for (;;) {
      needed = rest.length < PREFIX_BYTES ? PREFIX_BYTES : PREFIX_BYTES + rest.readUInt32BE(1)
      if (needed > RECORD_BYTES_MAX) throw new Error(DAMAGED)
      if (rest.length < needed) break
      yield { kind: rest[0] ?? 0, content: rest.subarray(PREFIX_BYTES, needed) }
      rest = rest.subarray(needed)
    }
    waiting = [rest]
    bytes = rest.length
  }
  if (bytes > 0) throw new Error(DAMAGED)
}
