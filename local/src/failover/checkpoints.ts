import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface CheckpointCheck {
  /** The number of checkpoints in all folders that were compared with the ledger. */
  readonly compared: number
  readonly problems: readonly string[]
}

/** Returns the number of events of the ledger, or of its first `size` events, and their root. */
type ReadHead = (size: bigint | null) => Promise<Checkpoint>

interface Checkpoint {
  readonly size: bigint
  /** The root of the first `size` events, in hexadecimal digits. */
  readonly root: string
}

/**
 * The active ledger service signs once a minute. The other ledger service copies the checkpoint
 * every five seconds.
 */
const COPIED_MS_MAX = 90_000
const POLL_MS = 500
/** The name of the log, the number of events and the root in base64. */
const NOTE = /^\S+\/ledger\/1\n(\d+)\n([A-Za-z0-9+/]{43}=)\n/gm

/**
 * Waits until the newest checkpoint of each ledger service covers all events. Then compares each
 * checkpoint in the folders with the ledger.
 */
export async function checkCheckpoints({
  readHead,
  checkpointFolders,
}: {
  readHead: ReadHead
  checkpointFolders: readonly string[]
}): Promise<CheckpointCheck> {
  const { size } = await readHead(null)
  const problems: string[] = []
  let compared = 0
  for (const folder of checkpointFolders) {
    const checkpoints = await waitForCheckpoint(folder, size)
    const newest = checkpoints.at(-1)?.size ?? 0n
    if (newest < size) problems.push(`${folder}: ${newest} of ${size} events are signed`)
    for (const checkpoint of checkpoints) {
      compared += 1
      const { root } = await readHead(checkpoint.size)
      if (root === checkpoint.root) continue
      problems.push(`${folder}: the checkpoint of ${checkpoint.size} events is not in the ledger`)
    }
  }
  return { compared, problems }
}

/** Returns the checkpoints in a file, in its order. */
function parseCheckpoints(text: string): readonly Checkpoint[] {
  return [...text.matchAll(NOTE)].map(([, size = '', root = '']) => {
    return { size: BigInt(size), root: Buffer.from(root, 'base64').toString('hex') }
  })
}

async function waitForCheckpoint(folder: string, size: bigint): Promise<readonly Checkpoint[]> {
  const deadline = performance.now() + COPIED_MS_MAX
  for (;;) {
    const checkpoints = parseCheckpoints(await readCheckpoints(folder))
    const newest = checkpoints.at(-1)?.size ?? 0n
    if (newest >= size || performance.now() > deadline) return checkpoints
    await delay(POLL_MS)
  }
}

async function readCheckpoints(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.includes('-checkpoints-')).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('')
}
