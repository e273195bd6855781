import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@cairn/service-kit/durable-file'
import { hashToHex } from '@cairn/service-kit/hash-text'
import { formatStamp } from './backup-folder.ts'
import { getDraftPath, removeLeftDrafts } from './drafts.ts'
import { FOLDER_MODE, ignoreMissing, listFolder, writeDurably } from './durable-files.ts'
import { copyListedFiles, readFileList, writeFileList } from './file-list.ts'

const KEPT = 'files'
/**
 * This file is written after the demo is loaded. A restored platform without this file would load
 * the demo a second time.
 */
const MARKER = 'demo-loaded'

const getCopiesPath = (backupDir: string) => join(backupDir, 'secrets')

/**
 * Copies the secrets of a data directory into a new folder below `BACKUP_DIR/secrets`, unless the
 * newest copy has the same content. Returns the name of the newest copy.
 */
export async function copySecrets(place: {
  dataDir: string
  backupDir: string
  now: Date
}): Promise<string> {
  const copies = getCopiesPath(place.backupDir)
  await removeLeftDrafts(copies)
  const found = await readAll(place.dataDir)
  const hashes = new Map([...found].map(([path, text]) => [`${KEPT}/${path}`, hashToHex(text)]))
  const newest = (await listCopies(place.backupDir)).at(-1)
  if (newest !== undefined && isSame(await readFileList(join(copies, newest)), hashes))
    return newest

  const name = formatStamp(place.now)
  const draft = getDraftPath(copies)
  await mkdir(draft, { recursive: true, mode: FOLDER_MODE })
  for (const [path, text] of found) await writeDurably(join(draft, KEPT, path), text)
  await writeFileList(draft, hashes)
  // If the secrets change twice within one second, the second copy replaces the first copy.
  await rm(join(copies, name), { recursive: true, force: true })
  await rename(draft, join(copies, name))
  await syncFolder(copies)
  return name
}

/**
 * Restores the secrets that a data directory had at `until`. If `until` is null, restores the
 * newest secrets.
 */
export async function restoreSecrets(place: {
  backupDir: string
  into: string
  until: Date | null
}): Promise<void> {
  const { backupDir, into, until } = place
  const names = await listCopies(backupDir)
  const before = names.filter((name) => until === null || name <= formatStamp(until))
  const name = before.at(-1) ?? names[0]
  const folder = join(getCopiesPath(backupDir), name ?? '')
  const list = name === undefined ? null : await readFileList(folder)
  if (list === null) {
    throw new Error(
      `${folder} has no copy of the secrets: use another copy of BACKUP_DIR. ` +
        'Without the secrets, sealed data cannot be read',
    )
  }
  await copyListedFiles({ folder, list, under: KEPT, to: into })
}

/** True if the folder has a copy of the secrets of a data directory. */
export async function hasSecrets(backupDir: string): Promise<boolean> {
  return (await listCopies(backupDir)).length > 0
}

/** Deletes each copy of the secrets if the next copy was made before `before`. */
export async function deleteOldSecrets(backupDir: string, before: Date): Promise<void> {
  const names = await listCopies(backupDir)
  const replaced = names.filter((_, at) => (names[at + 1] ?? '~') < formatStamp(before))
  for (const name of replaced) await rm(join(getCopiesPath(backupDir), name), { recursive: true })
}

async function listCopies(backupDir: string): Promise<readonly string[]> {
  const names = await listFolder(getCopiesPath(backupDir))
  return names.filter((name) => !name.startsWith('.'))
}

async function readAll(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const secrets = await listFolder(join(dataDir, 'secrets'))
  const paths = [...secrets.map((name) => `secrets/${name}`), MARKER]
  const texts = await Promise.all(
    paths.map(async (path) => {
      const text = await ignoreMissing(readFile(join(dataDir, path), 'utf8'))
      return text === null ? null : ([path, text] as const)
    }),
  )
  return new Map(texts.filter((pair) => pair !== null))
}

function isSame(one: ReadonlyMap<string, string> | null, other: ReadonlyMap<string, string>) {
  if (one === null || one.size !== other.size) return false
  return [...one].every(([path, hash]) => other.get(path) === hash)
}
