import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
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

/** The ending of the files that only grow: the checkpoints, the keys and the ended months. */
const GROWING = '.txt'

/**
 * Lists the growing files that are longer in the folder `from` than in the folder `to`. The folder
 * also has the verified state, which each verification replaces, and drafts, which disappear.
 */
export async function listLongerFiles(from: string, to: string): Promise<readonly GrownFile[]> {
  const names = (await listFolder(from)).filter((name) => name.endsWith(GROWING))
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

/**
 * Runs `backUp` and then copies the checkpoints that were signed before it, whose events are in the
 * backup. Problems with the checkpoints do not prevent the backup: they are thrown after it.
 */
export async function backUpWithCheckpoints<T>(
  { from, to }: { from: string; to: string },
  backUp: () => Promise<T>,
): Promise<T> {
  const [listed] = await Promise.allSettled([listLongerFiles(from, to)])
  const details = await backUp()
  try {
    if (listed.status === 'rejected') throw listed.reason
    for (const { name } of listed.value) await requireContinuation(name, { from, to })
    await copyGrown(listed.value, { from, to })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`the backup was taken, but the checkpoints were not copied: ${reason}`, {
      cause,
    })
  }
  return details
}

/**
 * Throws if a file of checkpoints does not begin with its copy. After a restore without the newest
 * checkpoints, the ledger signs other checkpoints, and only the copy shows which events were lost.
 */
async function requireContinuation(
  name: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const [file, copy] = [join(from, name), join(to, name)]
  const bytes = await readFileSize(copy)
  if (bytes === 0 || (await hashBeginning(file, bytes)) === (await hashBeginning(copy, bytes))) {
    return
  }
  throw new Error(
    `${file} does not continue its copy ${copy}: events that the ledger had signed may be lost. ` +
      'Compare both, and keep the copy in another folder',
  )
}

/** Returns the SHA-256 of the first bytes of a file in hexadecimal. */
async function hashBeginning(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { end: bytes - 1 }), hash)
  return hash.digest('hex')
}

async function readFileSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() ? found.size : 0
}
