import { join } from 'node:path'

/** The extension of an archived file. */
export const ENDING = '.gz'

/** The folder to which the server archives its write-ahead log. */
export const getArchivePath = (backupDir: string): string => join(backupDir, 'wal')
export const getSegmentPath = (backupDir: string, name: string): string =>
  join(getArchivePath(backupDir), `${name}${ENDING}`)

/**
 * Returns the settings with which the server archives its write-ahead log, at least once a minute.
 * The unused rest of a segment is zeros, so a compressed segment is small. The checksum of the
 * compressed file detects a changed byte. An archived segment is never replaced. If the archive
 * already has the same segment, for example after a crash, the command succeeds.
 */
export function createArchiveSettings(archiveDir: string): Readonly<Record<string, string>> {
  const target = `"${archiveDir}/%f${ENDING}"`
  const draft = `"${archiveDir}/%f.part"`
  const write = `gzip -1 -n < "%p" > ${draft} && sync ${draft} && mv ${draft} ${target}`
  return {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: `if test -f ${target}; then gzip -dc ${target} | cmp -s - "%p"; else ${write} && sync "${archiveDir}"; fi`,
  }
}

export function formatRestoreCommand(archiveDir: string): string {
  const source = `"${archiveDir}/%f${ENDING}"`
  return `test -f ${source} && gzip -dc ${source} > "%p"`
}
