import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getMonth } from '../domain/months/month.ts'

const BLOCK_BYTES = 65_536
/** The size of the largest note that can be found. A note with 64 signatures is much smaller. */
const NOTE_BYTES_MAX = 65_536
const NEWLINE = 0x0a
const NOTE = /^\S+\n\d+\n\S+\n\n(?:\u2014 \S+ \S+\n)+/gmu
/** Completes an incomplete line. The spaces prevent the line from looking like a signature line. */
const INCOMPLETE_MARK = ' (cut off here)\n'

/** The folder with the checkpoint files of a ledger. Each month has a file. */
export interface CheckpointPlace {
  folder: string
  ledger: number
}

export function getCheckpointFileName(ledger: number, month: string): string {
  return `ledger-${ledger}-checkpoints-${month}.txt`
}

/**
 * Appends one signed note and flushes the file. If an interrupted write left an incomplete line,
 * that line is completed first, so that it does not run into the new note.
 */
export async function appendCheckpoint(
  { folder, ledger, nowMs }: CheckpointPlace & { nowMs: number },
  note: string,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const current = getCheckpointFileName(ledger, getMonth(nowMs))
  // The newest note is in the newest file, because a note is written to the newest file even after
  // the clock was set back.
  const newest = [...(await listFiles({ folder, ledger })), current].sort().at(-1) ?? current
  const handle = await open(join(folder, newest), 'a+')
  try {
    const mark = (await hasFinalNewline(handle)) ? '' : INCOMPLETE_MARK
    await handle.appendFile(`${mark}${note}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Returns the newest complete note of all files and its file, or null if no file contains a
 * complete note.
 */
export async function findNewestNote(
  place: CheckpointPlace,
): Promise<{ file: string; note: string } | null> {
  for (const name of await listFiles(place)) {
    const file = join(place.folder, name)
    const note = await findLastNoteOf(file)
    if (note !== null) return { file, note }
  }
  return null
}

/** Returns all complete notes of all files, newest file first. */
export async function* readNotes(place: CheckpointPlace): AsyncGenerator<string> {
  for (const name of await listFiles(place)) {
    const text = await readFile(join(place.folder, name), 'utf8')
    yield* (text.match(NOTE) ?? []).reverse()
  }
}

/** Returns the names of the ledger's checkpoint files, newest first. */
async function listFiles({ folder, ledger }: CheckpointPlace): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const month = /(\d{4}-\d{2})\.txt$/
  // The folder has the files of all ledgers, so the cheap comparison comes first.
  const prefix = getCheckpointFileName(ledger, '').slice(0, -'.txt'.length)
  return names
    .filter((name) => name.startsWith(prefix))
    .filter((name) => name === getCheckpointFileName(ledger, month.exec(name)?.[1] ?? ''))
    .sort()
    .reverse()
}

/** Reads backwards in blocks, because the file can be large. */
async function findLastNoteOf(file: string): Promise<string | null> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    // Adjacent windows overlap by the size of the largest note, so at least one window contains the
    // complete note.
    for (let end = size; end > 0; end -= BLOCK_BYTES) {
      const start = Math.max(0, end - BLOCK_BYTES - NOTE_BYTES_MAX)
      const window = await readRange(handle, start, end)
      const note = findLastNote(start === 0 ? window : skipFirstLine(window))
      if (note !== null) return note
    }
    return null
  } finally {
    await handle.close()
  }
}

async function hasFinalNewline(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return true
  const last = await readRange(handle, size - 1, size)
  return last[0] === NEWLINE
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start)
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Skips the first line of a window, because the window can start inside a line. */
function skipFirstLine(window: Buffer): Buffer {
  const at = window.indexOf(NEWLINE)
  return at < 0 ? window.subarray(window.length) : window.subarray(at + 1)
}

function findLastNote(bytes: Buffer): string | null {
  return bytes.toString('utf8').match(NOTE)?.at(-1) ?? null
}
