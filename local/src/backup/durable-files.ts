import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '@cairn/service-kit/durable-file'

const BLOCK_BYTES = 1024 ** 2
const FILE_MODE = 0o600
export const FOLDER_MODE = 0o700

/** Replaces a file, and creates its folder if that is missing. */
export async function writeDurably(
  path: string,
  content: string | Buffer,
  mode = FILE_MODE,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  await replaceFile(path, content, mode)
}

/**
 * Copies a file, or its first bytes, and flushes the copy. Returns the SHA-256 of the copied bytes
 * in hexadecimal.
 */
export async function copyWithHash(copy: {
  from: string
  to: string
  bytesMax?: number
}): Promise<string> {
  const source = await open(copy.from, 'r')
  try {
    const target = await open(copy.to, 'w', FILE_MODE)
    try {
      const hash = await copyBytes(source, target, copy.bytesMax ?? Number.POSITIVE_INFINITY)
      await target.sync()
      return hash
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function copyBytes(source: FileHandle, target: FileHandle, max: number): Promise<string> {
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  for (let copied = 0; copied < max; ) {
    const length = Math.min(BLOCK_BYTES, max - copied)
    const { bytesRead } = await source.read(block, 0, length)
    if (bytesRead === 0) break
    const part = block.subarray(0, bytesRead)
    hash.update(part)
    await target.writeFile(part)
    copied += bytesRead
  }
  return hash.digest('hex')
}

/** Lists a folder; returns an empty list if the folder does not exist. */
export async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Returns null if a file does not exist, or if it was deleted during the call. */
export async function ignoreMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
