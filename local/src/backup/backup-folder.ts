import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getArchivePath } from './archive-settings.ts'
import { listFolder } from './durable-files.ts'
import { type FileList, readFileList, readListedFile } from './file-list.ts'
import { parseSegment } from './segments.ts'

export const NOTE = 'backup.json'
/** The folder in a backup with the files of the server. */
export const FILES = 'postgres'
const PREFIX = 'backup-'
/**
 * The maximum age of a backup. An older backup can contain the keys of people who were deleted after
 * it was made.
 */
export const KEPT_DAYS = 30
const DAY_MS = 86_400_000

/** The description of a backup. */
export interface BackupNote {
  /** The time at which the backup ended. A restore can reach this time and each later time. */
  readonly endedAt: string
  /** The first and the last segment of the write-ahead log that the backup needs. */
  readonly firstSegment: string
  readonly lastSegment: string
  readonly postgresVersion: number
  /**
   * All folders of the server. A restore creates them, because the list of files does not contain
   * empty folders.
   */
  readonly folders: readonly string[]
}

export interface Backup extends BackupNote {
  readonly name: string
  readonly folder: string
  readonly list: FileList
}

/** Returns a time as it appears in the names of backups, such as 20261125T143000Z. */
export function formatStamp(time: Date): string {
  return `${time.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
}

export const formatBackupName = (endedAt: Date): string => `${PREFIX}${formatStamp(endedAt)}`

/** Returns the time before which a backup must not have ended. */
export const getOldestKept = (now: Date): Date => new Date(now.getTime() - KEPT_DAYS * DAY_MS)

/** Lists the names of the complete backups, newest first. */
export async function listBackupNames(backupDir: string): Promise<readonly string[]> {
  const names = await listFolder(backupDir)
  return names.filter((name) => name.startsWith(PREFIX)).toReversed()
}

/**
 * Returns the named backup, or the newest backup that ended at or before the given time. Throws if
 * no such backup exists.
 */
export async function findBackup(
  backupDir: string,
  { until, named }: { until: Date | null; named: string | null },
): Promise<Backup> {
  const names = await listBackupNames(backupDir)
  if (named !== null) {
    if (names.includes(named)) return readBackup(backupDir, named)
    throw new Error(`${backupDir} has no backup ${named}; it has: ${names.join(', ') || 'none'}`)
  }
  const oldest = names.at(-1)
  if (oldest === undefined) {
    throw new Error(`${backupDir} has no backup: run npm run backup, or correct BACKUP_DIR`)
  }
  for (const name of names) {
    if (until !== null && name > formatBackupName(until)) continue
    const backup = await readBackup(backupDir, name)
    if (until === null || Date.parse(backup.endedAt) <= until.getTime()) return backup
  }
  const { endedAt } = await readBackup(backupDir, oldest)
  throw new Error(`the oldest backup ends at ${endedAt}: give --to with a later time`)
}

async function readBackup(backupDir: string, name: string): Promise<Backup> {
  const folder = join(backupDir, name)
  const list = await readFileList(folder)
  if (list === null)
    throw new Error(`${folder} has no list of files: use another copy of this folder`)
  // The cast is safe because `takeBackup` wrote the file, whose hash is in the list.
  const note = JSON.parse(await readListedFile(folder, NOTE, list)) as BackupNote
  return { ...note, name, folder, list }
}

/**
 * Deletes the backups that ended before `before`, except the newest backup. Also deletes archived
 * segments that no remaining backup needs. Returns the names of the deleted backups.
 */
export async function deleteOldBackups(
  backupDir: string,
  before: Date,
): Promise<readonly string[]> {
  const [newest, ...others] = await listBackupNames(backupDir)
  if (newest === undefined) return []
  const old = others.filter((name) => name < formatBackupName(before))
  for (const name of old) await rm(join(backupDir, name), { recursive: true })
  const kept = [newest, ...others.filter((name) => !old.includes(name))]
  const backups = await Promise.all(kept.map((name) => readBackup(backupDir, name)))
  const first = Math.min(
    ...backups.map(({ firstSegment }) => parseSegment(firstSegment)?.number ?? 0),
  )
  const archive = getArchivePath(backupDir)
  for (const name of await listFolder(archive)) {
    const segment = parseSegment(name.slice(0, 24))
    if (segment !== null && segment.number < first) await rm(join(archive, name))
  }
  return old
}
