import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashToHex } from '@cairn/service-kit/hash-text'
import { copyWithHash, FOLDER_MODE, ignoreMissing, writeDurably } from './durable-files.ts'

/** The files of a backup with their hashes, in the format of `sha256sum -c`. */
const LIST = 'files.sha256'
const LINE = /^([0-9a-f]{64}) {2}(.+)$/

/** The SHA-256 of each file, by its path in the folder. */
export type FileList = ReadonlyMap<string, string>

/**
 * Writes the list of a backup as the last file of the backup, so that a folder without a list is
 * not complete.
 */
export async function writeFileList(folder: string, list: FileList): Promise<void> {
  const lines = [...list].map(([path, hash]) => `${hash}  ${path}\n`)
  await writeDurably(join(folder, LIST), lines.join(''))
}

/** Returns null if the folder has no list. Throws if the list cannot be read. */
export async function readFileList(folder: string): Promise<FileList | null> {
  const text = await ignoreMissing(readFile(join(folder, LIST), 'utf8'))
  if (text === null) return null
  const pairs = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, hash, path] = LINE.exec(line) ?? []
      if (hash !== undefined && path !== undefined) return [path, hash] as const
      throw new Error(`${join(folder, LIST)} is damaged: use another copy of this folder`)
    })
  return new Map(pairs)
}

/** Reads a file of the folder. Throws if the file differs from the list. */
export async function readListedFile(
  folder: string,
  path: string,
  list: FileList,
): Promise<string> {
  const text = await ignoreMissing(readFile(join(folder, path), 'utf8'))
  requireSameHash({ folder, path, found: text === null ? null : hashToHex(text), list })
  return text ?? ''
}

/**
 * Copies the listed files below `under` into another folder. Throws if a file is missing or differs
 * from the list. `handOver` is called with each created path.
 */
export async function copyListedFiles(copy: {
  folder: string
  list: FileList
  under: string
  to: string
  handOver?: (path: string) => Promise<void>
}): Promise<void> {
  const { folder, list, under, to, handOver = async () => {} } = copy
  const made = new Set<string>()
  for (const path of list.keys()) {
    if (!path.startsWith(`${under}/`)) continue
    const target = join(to, path.slice(under.length + 1))
    await createFolders({ path: dirname(target), to, made, handOver })
    const found = await ignoreMissing(copyWithHash({ from: join(folder, path), to: target }))
    requireSameHash({ folder, path, found, list })
    await handOver(target)
  }
}

async function createFolders(making: {
  path: string
  to: string
  made: Set<string>
  handOver: (path: string) => Promise<void>
}): Promise<void> {
  const { path, to, made, handOver } = making
  if (made.has(path)) return
  if (path !== to) await createFolders({ ...making, path: dirname(path) })
  await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  await handOver(path)
  made.add(path)
}

function requireSameHash(check: {
  folder: string
  path: string
  found: string | null
  list: FileList
}): void {
  const { folder, path, found, list } = check
  if (found !== null && found === list.get(path)) return
  const wrong = found === null ? 'is missing' : 'is damaged: its SHA-256 differs from the list'
  throw new Error(
    `${join(folder, path)} ${wrong}. Use another copy of this backup, or name an older backup with --backup.`,
  )
}
