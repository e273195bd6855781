import { rename } from 'node:fs/promises'
import { claimDataDir, findPlatform } from '../running.ts'
import { formatStamp } from './backup-folder.ts'
import { listFolder } from './durable-files.ts'
import { readReplacedFolder } from './incomplete.ts'

/**
 * Renames the data directory if it is not empty. Throws if it is not empty and `isSettingAside` is
 * false. Returns the folder with the replaced data, or null. After a failed restore, this is the
 * folder that the failed restore renamed, because the log of its server may not be archived yet.
 */
export async function prepareTargetFolder(target: {
  into: string
  isSettingAside: boolean
  print: (line: string) => void
}): Promise<string | null> {
  const { into, isSettingAside, print } = target
  const pid = findPlatform(into)
  if (pid !== null) {
    throw new Error(
      `a platform runs on ${into} (process ${pid}): stop it, or give --into another folder`,
    )
  }
  if ((await listFolder(into)).length === 0) return null
  if (!isSettingAside) {
    throw new Error(
      `${into} is not empty: give --into an empty folder, or --set-aside to rename ${into} first`,
    )
  }
  // If the platform was killed, its server may still run. The server would then write into the
  // renamed folder.
  await (await claimDataDir(into, print)).release()
  const earlier = await readReplacedFolder(into)
  const aside = `${into}.before-restore-${formatStamp(new Date())}`
  await rename(into, aside)
  print(`${into} was renamed to ${aside}`)
  return earlier ?? aside
}
