import { Worker } from 'node:worker_threads'
import type { ComparedLog } from './compare-log.ts'

/** The part of a verification that a thread does, with its own connections. */
export interface VerifiedPart {
  url: string
  /** The name of the snapshot, from `pg_export_snapshot`. */
  snapshot: string
  ledger: number
  size: bigint
  root: Buffer
  /** The time of the newest event in the head, in milliseconds since 1970. */
  lastRecordedAtMs: number
  /** The hash of the newest LogForked among the events; null if there is none. */
  fork: Buffer | null
  /** The folder of the verified state; null if no state is read or written. */
  stateFolder: string | null
  /** True if the verification continues from the verified state. */
  isContinued: boolean
}

export interface ComparedPart extends VerifiedPart {
  /** The maximum number of checkpoints that are held in memory. */
  pageRows: number | undefined
  /** The maximum number of events whose postings are held in memory before they are sorted. */
  apartMax: number | undefined
}

export type ComparisonMessage =
  | { kind: 'progress'; done: bigint }
  | { kind: 'done'; compared: ComparedLog }

/**
 * The heap of the thread. The thread holds only few objects for a long time, so a larger young
 * generation would only use more memory.
 */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }

/** Compares bytes, hashes, postings and balances in a new thread with its own connections. */
export function startComparison(
  part: ComparedPart,
  onProgress: (done: bigint) => void,
): { compared: Promise<ComparedLog>; stop(): Promise<unknown> } {
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), {
    workerData: part,
    resourceLimits: HEAP,
  })
  const compared = new Promise<ComparedLog>((resolve, reject) => {
    worker.on('message', (message: ComparisonMessage) => {
      if (message.kind === 'done') resolve(message.compared)
      else onProgress(message.done)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the thread that compares the log ended early')))
  })
  // The caller awaits this promise only after other checks. If the promise is rejected during these
  // checks, Node.js would report the rejection as unhandled without this handler.
  compared.catch(() => {})
  return { compared, stop: () => worker.terminate() }
}
