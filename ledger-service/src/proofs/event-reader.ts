import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CheckedPage } from './event-page.ts'

export interface EventPart {
  url: string
  /** The name of the snapshot, from `pg_export_snapshot`. */
  snapshot: string
  ledger: number
  from: bigint
  size: bigint
}

/** The heap of the thread. It holds only a few pages of events. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 64 }

/**
 * Yields the pages of the log in order. A worker thread with its own connection reads, hashes and
 * checks the events, because these steps are most of the work of a verification.
 */
export async function* readEvents(part: EventPart): AsyncGenerator<CheckedPage> {
  const options = { workerData: part, resourceLimits: HEAP }
  const worker = new Worker(new URL('./event-worker.ts', import.meta.url), options)
  try {
    for await (const [page] of on(worker, 'message', { close: ['exit'] })) {
      worker.postMessage('taken')
      // The cast holds because only event-worker.ts sends messages.
      const { leaves, ...rest } = page as CheckedPage
      // A Buffer that was sent from another thread arrives as a Uint8Array.
      const { buffer, byteOffset, byteLength } = leaves
      yield { ...rest, leaves: Buffer.from(buffer, byteOffset, byteLength) }
      if (rest.isLast) return
    }
    throw new Error('the thread that reads events ended before the last page')
  } finally {
    await worker.terminate()
  }
}
