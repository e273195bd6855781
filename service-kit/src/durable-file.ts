import { randomUUID } from 'node:crypto'
import { link, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file, or creates it, so that a reader finds the old or the new content, even after a
 * loss of power. Several processes can do so at once, because each has a draft of its own, whose
 * name ends in `.part`.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer,
  mode?: number,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  const handle = await open(draft, 'wx', mode)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/**
 * Creates a file, so that a reader finds no file or the whole content, even after a full disk or a
 * loss of power. Returns false and changes nothing if the file exists.
 */
export async function createFile(path: string, content: string, mode?: number): Promise<boolean> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeFile(draft, content, { flag: 'wx', mode, flush: true })
    await link(draft, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
  return true
}

/** Flushes a folder, so that the names of its files survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
