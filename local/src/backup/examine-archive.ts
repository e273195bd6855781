import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { ENDING, getArchivePath, getSegmentPath } from './archive-settings.ts'
import { readArchivedRange } from './archived.ts'
import type { Backup } from './backup-folder.ts'
import { listFolder } from './durable-files.ts'
import {
  findTimeline,
  formatSegment,
  parseSegment,
  parseTimelineHistory,
  SEGMENT_BYTES,
  type Segment,
} from './segments.ts'

export interface ArchiveState {
  /**
   * The last segment before the first missing or damaged segment. If the archive is complete, its
   * newest segment. A recovery must reach this segment.
   */
  readonly last: Segment
  /**
   * A text that names the missing or damaged file and says what to do. Null if the archive is
   * complete.
   */
  readonly problem: string | null
}

/**
 * Examines all archived segments from the beginning of a backup to the newest. PostgreSQL takes a
 * missing or unreadable segment for the end of the archive and silently restores an older state.
 */
export async function examineArchive(backupDir: string, backup: Backup): Promise<ArchiveState> {
  const names = await listArchivedFiles(backupDir)
  const first = parseSegment(backup.firstSegment)
  if (first === null) throw new Error(`${backup.name} names no segment: use another backup`)
  const chain = await readTimelines(backupDir, { names, oldest: first.timeline })
  const toName = (number: number) =>
    formatSegment({ timeline: findTimeline(number, chain), number })
  const end = await findEnd({ backupDir, backup, names, toName, first })

  let last = { ...first, number: first.number - 1 }
  for (let { number } = first; number <= end; number += 1) {
    const name = toName(number)
    const path = getSegmentPath(backupDir, name)
    const until = await formatTimeOf(getSegmentPath(backupDir, formatSegment(last)))
    const isThere = names.has(name)
    if (!isThere || !(await isReadable(path, SEGMENT_BYTES))) {
      const wrong = isThere ? 'is damaged' : 'is missing'
      return { last, problem: `${path} ${wrong}. ${formatAdvice(until)}` }
    }
    last = { timeline: findTimeline(number, chain), number }
  }
  return { last, problem: null }
}

/** Returns the names of the files without the extension of compressed files. */
async function listArchivedFiles(backupDir: string): Promise<ReadonlySet<string>> {
  const names = await listFolder(getArchivePath(backupDir))
  const complete = names.filter((name) => name.endsWith(ENDING))
  return new Set(complete.map((name) => name.slice(0, -ENDING.length)))
}

/** Reads the history of the newest timeline. A restored server begins a new timeline. */
async function readTimelines(
  backupDir: string,
  { names, oldest }: { names: ReadonlySet<string>; oldest: number },
) {
  const histories = [...names].filter((name) => name.endsWith('.history')).toSorted()
  const name = histories.at(-1)
  const newest = Number.parseInt(name ?? '', 16)
  if (name === undefined || newest <= oldest) return { newest: oldest, ends: [] }
  const bytes = await readFile(getSegmentPath(backupDir, name))
  const text = (await promisify(gunzip)(bytes)).toString('utf8')
  return { newest, ends: parseTimelineHistory(text) }
}

/**
 * Returns the number of the last segment that was ever archived, even if this segment is missing
 * now.
 */
async function findEnd(archive: {
  backupDir: string
  backup: Backup
  names: ReadonlySet<string>
  toName: (number: number) => string
  first: Segment
}): Promise<number> {
  const { names, toName } = archive
  const found = [...names]
    .map(parseSegment)
    .filter((segment) => segment !== null)
    .filter((segment) => toName(segment.number) === formatSegment(segment))
    .map(({ number }) => number)
  const recorded = parseSegment((await readArchivedRange(archive.backupDir))?.segment ?? '')
  const isOfChain = recorded !== null && toName(recorded.number) === formatSegment(recorded)
  const needed = parseSegment(archive.backup.lastSegment) ?? archive.first
  return Math.max(needed.number, isOfChain ? recorded.number : 0, ...found)
}

/**
 * Returns true if the file can be decompressed and its content has this size. Decompression also
 * verifies the checksum of the file.
 */
async function isReadable(path: string, bytesExpected: number): Promise<boolean> {
  let bytes = 0
  const count = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      done()
    },
  })
  try {
    await pipeline(createReadStream(path), createGunzip(), count)
    return bytes === bytesExpected
  } catch {
    return false
  }
}

async function formatTimeOf(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  return found === null ? null : found.mtime.toISOString()
}

function formatAdvice(until: string | null): string {
  const copy = 'No later state can be restored. Copy this file from another copy of BACKUP_DIR'
  return until === null
    ? `${copy}, or name an older backup with --backup.`
    : `${copy}, or restore an earlier state with --to and a time before ${until}.`
}
