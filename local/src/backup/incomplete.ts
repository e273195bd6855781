import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing, writeDurably } from './durable-files.ts'

/** The file that exists in a data directory until its restore has ended. */
export const getIncompletePath = (dataDir: string): string => join(dataDir, 'restore-incomplete')

/**
 * Marks a data directory until its restore has ended. `replaced` is the folder with the replaced
 * data.
 */
export async function markRestoreUnfinished(
  dataDir: string,
  replaced: string | null,
): Promise<void> {
  await writeDurably(getIncompletePath(dataDir), replaced ?? '')
}

/** Returns the folder whose data an unfinished restore replaces, or null. */
export async function readReplacedFolder(dataDir: string): Promise<string | null> {
  return (await ignoreMissing(readFile(getIncompletePath(dataDir), 'utf8'))) || null
}

/** Throws if the data directory was left behind by a failed or interrupted restore. */
export function requireCompleteRestore(dataDir: string): void {
  if (!existsSync(getIncompletePath(dataDir))) return
  throw new Error(
    `the restore into ${dataDir} did not end: run npm run restore again with --set-aside`,
  )
}
