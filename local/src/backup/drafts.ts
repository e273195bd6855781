import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning } from '../is-running.ts'
import { listFolder } from './durable-files.ts'

const PREFIX = '.draft-'

/** Returns the folder in which this process prepares a copy, before the copy gets its name. */
export const getDraftPath = (folder: string): string => join(folder, `${PREFIX}${process.pid}`)

/**
 * Removes the drafts of ended processes, and that of this process. A draft has the keys of people
 * and secrets, and it has no age after which it would be deleted as a copy is.
 */
export async function removeLeftDrafts(folder: string): Promise<void> {
  for (const name of await listFolder(folder)) {
    if (!name.startsWith(PREFIX)) continue
    const owner = Number(name.slice(PREFIX.length))
    if (owner !== process.pid && isRunning(owner)) continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
