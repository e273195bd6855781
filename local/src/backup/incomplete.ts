import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing, writeDurably } from './durable-files.ts'

type Work = 'restore' | 'import'

const ADVICE: Readonly<Record<Work, string>> = {
  restore: 'run npm run restore again with --set-aside',
  import:
    'delete this folder and run npm run import again, with an empty database if DATABASE_URL names one',
}

/** The file that exists in a data directory until its restore or import has ended. */
export const getIncompletePath = (dataDir: string, work: Work = 'restore'): string =>
  join(dataDir, `${work}-incomplete`)

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

/** Marks a data directory until its import has ended. */
export async function markImportUnfinished(dataDir: string): Promise<void> {
  await writeDurably(getIncompletePath(dataDir, 'import'), '')
}

/** Returns the folder whose data an unfinished restore replaces, or null. */
export async function readReplacedFolder(dataDir: string): Promise<string | null> {
  return (await ignoreMissing(readFile(getIncompletePath(dataDir), 'utf8'))) || null
}

/** Throws if the data directory was left behind by a failed or interrupted restore or import. */
export function requireComplete(dataDir: string): void {
  for (const work of ['restore', 'import'] as const) {
    if (!existsSync(getIncompletePath(dataDir, work))) continue
    throw new Error(`the ${work} into ${dataDir} did not end: ${ADVICE[work]}`)
  }
}
