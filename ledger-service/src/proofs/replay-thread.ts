import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReplayProblem } from './replay.ts'

export interface ReplayPart {
  url: string
  /** The name of the snapshot, from `pg_export_snapshot`. */
  snapshot: string
  ledger: number
  size: bigint
  root: Buffer
  /** The folder of the verified state; null if no state is read or written. */
  stateFolder: string | null
  /** True if the replay continues from the verified state. */
  isContinued: boolean
}

/**
 * The heap of the thread. The number of rows in the heap is bounded, so a larger heap would only
 * delay garbage collection.
 */
const HEAP = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 768 }

/**
 * Replays the log in a new thread with its own connection, while the calling thread compares bytes
 * and postings.
 */
export function startReplay(part: ReplayPart): {
  problems: Promise<readonly ReplayProblem[]>
  stop(): Promise<unknown>
} {
  const worker = new Worker(new URL('./replay-worker.ts', import.meta.url), {
    workerData: part,
    resourceLimits: HEAP,
  })
  // The cast holds because only replay-worker.ts sends the message.
  const problems = once(worker, 'message').then(([sent]) => sent as readonly ReplayProblem[])
  // The caller awaits the promise after the other comparisons. Without this handler, Node.js would
  // report an earlier rejection as unhandled.
  problems.catch(() => {})
  return { problems, stop: () => worker.terminate() }
}
