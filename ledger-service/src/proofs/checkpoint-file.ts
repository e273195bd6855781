import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

const BLOCK_BYTES = 65_536
/** Largest note that is found: 64 signature lines fit several times. */
const NOTE_BYTES_MAX = 65_536
const NEWLINE = 0x0a
const NOTE = /^\S+\n\d+\n\S+\n\n(?:\u2014 \S+ \S+\n)+/gmu
/** Ends an incomplete line. Its second and third space keep the line from passing for a signature. */
const INCOMPLETE_MARK = ' (cut off here)\n'

/**
 * Appends one signed note and waits for the disk. A write that was cut off leaves a line without an
 * end; it is closed first, or the new note would continue that line and could not be read.
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
 * The newest complete note, or null if there is none. Read backwards from the end, one block at a
 * time: the file gains a note a second for years, so it must never be read whole. A cut-off note
 * at the end is skipped: it was not stored in the database and not given to anyone.
 */
export async function findNewestNote(file: string): Promise<string | null> {
  const handle = await openIfPresent(file)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    // Successive windows overlap by one note, so each note lies whole in one of them.
    for (let end = size; end > 0; end -= BLOCK_BYTES) {
      const start = Math.max(0, end - BLOCK_BYTES - NOTE_BYTES_MAX)
      const window = await readRange(handle, start, end)
      const note = lastNoteIn(start === 0 ? window : afterFirstNewline(window))
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

/** A window may begin inside a line; its rest would read as a line of its own. */
function afterFirstNewline(window: Buffer): Buffer {
  const at = window.indexOf(NEWLINE)
  return at < 0 ? window.subarray(window.length) : window.subarray(at + 1)
}

function lastNoteIn(bytes: Buffer): string | null {
  return bytes.toString('utf8').match(NOTE)?.at(-1) ?? null
}
