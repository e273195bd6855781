import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from './durable-files.ts'

/**
 * The name of the newest archived segment. It is stored beside the archive, so that the loss of
 * this segment is noticed.
 */
export interface Archived {
  readonly segment: string
  readonly at: string
}

const getPath = (backupDir: string) => join(backupDir, 'archived.json')

export async function readArchivedRange(backupDir: string): Promise<Archived | null> {
  const text = await readFile(getPath(backupDir), 'utf8').catch(() => null)
  // The cast is safe because only `writeArchivedRange` writes this file.
  return text === null ? null : (JSON.parse(text) as Archived)
}

export async function writeArchivedRange(backupDir: string, archived: Archived): Promise<void> {
  await writeDurably(getPath(backupDir), `${JSON.stringify(archived)}\n`)
}
