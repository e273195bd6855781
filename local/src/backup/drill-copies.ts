import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDiskSpace } from '@cairn/service-kit/disk-space'
import { isRunning } from '../is-running.ts'
import { ignoreMissing } from './durable-files.ts'
import type { StoredBackup } from './store.ts'

const PREFIX = 'cairn-drill-'
const OWNER = 'owner'
/** Space for the write-ahead log that the recovery reads and writes, beside the files. */
const MARGIN_BYTES = 1_000_000_000

/** Creates the folder into which this process restores a backup. */
export async function createDrillCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  await writeFile(join(folder, OWNER), String(process.pid), { mode: 0o600 })
  return folder
}

/**
 * Removes the copies of drills that were killed. Such a copy has the secrets of the platform. Other
 * users can create entries with such names, so only folders of the own user are removed.
 */
export async function removeLeftCopies(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const folder = join(tmpdir(), name)
    if (!(await isOwnFolder(folder))) continue
    const owner = await ignoreMissing(readFile(join(folder, OWNER), 'utf8')).catch(() => null)
    if (owner === null || isRunning(Number(owner))) continue
    await rm(folder, { recursive: true, force: true })
  }
}

/** Also false for a symbolic link, which can name a folder of the own user. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await ignoreMissing(lstat(path))
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid)
}

/**
 * Throws if the temporary folder has too little space for the files of a backup, because the copy
 * could fill the disk of the running platform.
 */
export async function requireSpaceForCopy(backup: Pick<StoredBackup, 'bytes'>): Promise<void> {
  const bytes = backup.bytes + MARGIN_BYTES
  const space = await readDiskSpace(tmpdir())
  if (space === null || space.freeBytes >= bytes) return
  const megabytes = (amount: number) => Math.ceil(amount / 1_000_000).toLocaleString('en-US')
  throw new Error(
    `the drill needs ${megabytes(bytes)} MB in ${tmpdir()}, which has ${megabytes(space.freeBytes)} MB: ` +
      'set TMPDIR to a folder on a larger disk',
  )
}
