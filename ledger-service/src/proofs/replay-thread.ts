import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { VerifiedPart } from './compare-thread.ts'
import type { ReplayProblem } from './replay.ts'

/**
 * The heap of the thread. The number of rows in the heap is bounded, so a larger heap would only
 * delay garbage collection.
 */
const HEAP = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 768 }

/**
 * Replays the log in a new thread with its own connections, while another thread compares bytes and
 * postings.
 */
export function startReplay(part: VerifiedPart): {
  problems: Promise<readonly ReplayProblem[]>
  stop(): Promise<unknown>
} {
  const worker = new Worker(new URL('./replay-worker.ts', import.meta.url), {
    workerData: part,
    resourceLimits: HEAP,
  })
  // The cast is safe, because only replay-worker.ts sends the message.
  const problems = once(worker, 'message').then(([sent]) => sent as readonly ReplayProblem[])
  // The caller awaits this promise only after the comparison. If the promise is rejected before
  // that, Node.js would report the rejection as unhandled without this handler.
  problems.catch(() => {})
  return { problems, stop: () => worker.terminate() }
}
