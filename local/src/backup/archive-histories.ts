import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolder } from './durable-files.ts'

/**
 * Marks the history files of timelines so that the server archives them. A restored server begins a
 * new timeline before it archives any file. Without the history of the new timeline, a later
 * restore would follow the abandoned timeline.
 */
export async function markHistories(
  dataDir: string,
  handOver: (path: string) => Promise<void>,
): Promise<void> {
  const folder = join(dataDir, 'pg_wal')
  const getStatusPath = (name: string, state: string) =>
    join(folder, 'archive_status', `${name}.${state}`)
  for (const name of await listFolder(folder)) {
    if (!name.endsWith('.history') || existsSync(getStatusPath(name, 'done'))) continue
    await writeFile(getStatusPath(name, 'ready'), '', { mode: 0o600 })
    await handOver(getStatusPath(name, 'ready'))
  }
}
