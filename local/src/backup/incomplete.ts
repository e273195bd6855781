import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The file that exists in a data directory until its restore has ended. */
export const getIncompletePath = (dataDir: string): string => join(dataDir, 'restore-incomplete')

/** Throws if the data directory is the rest of a restore that failed or was interrupted. */
export function requireRestored(dataDir: string): void {
  if (!existsSync(getIncompletePath(dataDir))) return
  throw new Error(
    `the restore into ${dataDir} did not end: delete ${dataDir} and run npm run restore again`,
  )
}
