import { mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@cairn/service-kit/durable-file'
import { copyWithHash, FOLDER_MODE, listFolder } from './durable-files.ts'

/**
 * A file of checkpoints or of a month end, and the size up to which it is copied. The file only
 * grows, so this part of it never changes.
 */
export interface GrownFile {
  readonly name: string
  readonly bytes: number
}

export const getCheckpointsPath = (dir: string): string => join(dir, 'checkpoints')

/** Lists the files that are longer in the folder `from` than in the folder `to`. */
export async function listLongerFiles(from: string, to: string): Promise<readonly GrownFile[]> {
  // A draft disappears when it gets its name.
  const names = (await listFolder(from)).filter((name) => !name.endsWith('.part'))
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFileSize(join(from, name)) })),
  )
  const known = await Promise.all(names.map((name) => readFileSize(join(to, name))))
  return files.filter(({ bytes }, at) => bytes > (known[at] ?? 0))
}

/** Copies files up to the listed sizes. */
export async function copyGrown(
  files: readonly GrownFile[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (files.length === 0) return
  await mkdir(to, { recursive: true, mode: FOLDER_MODE })
  for (const { name, bytes } of files) {
    const draft = join(to, `.${name}.part`)
    await copyWithHash({ from: join(from, name), to: draft, bytesMax: bytes })
    await rename(draft, join(to, name))
  }
  await syncFolder(to)
}

async function readFileSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() ? found.size : 0
}
