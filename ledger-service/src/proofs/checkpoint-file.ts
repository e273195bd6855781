import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

const BLOCK_BYTES = 65_536
/** The size of the largest note that can be found. A note with 64 signatures is much smaller. */
const NOTE_BYTES_MAX = 65_536
const NEWLINE = 0x0a
const NOTE = /^\S+\n\d+\n\S+\n\n(?:\u2014 \S+ \S+\n)+/gmu
/** Completes an incomplete line. The spaces prevent the line from looking like a signature line. */
const INCOMPLETE_MARK = ' (cut off here)\n'

/**
 * Appends one signed note and flushes the file. If an interrupted write left an incomplete line,
 * that line is completed first, so that it does not run into the new note.
 */
export async function appendCheckpoint(file: string, note: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const handle = await open(file, 'a+')
  try {
    const mark = (await endsInNewline(handle)) ? '' : INCOMPLETE_MARK
    await handle.appendFile(`${mark}${note}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Returns the newest complete note, or null if there is none. Reads backwards in blocks, because
 * the file can be large.
 */
export async function findNewestNote(file: string): Promise<string | null> {
  const handle = await openIfPresent(file)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    // Adjacent windows overlap by the size of the largest note, so each note is complete in one of
    // them.
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

async function endsInNewline(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return true
  const last = await readRange(handle, size - 1, size)
  return last[0] === NEWLINE
}

async function openIfPresent(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
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
