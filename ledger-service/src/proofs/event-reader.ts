import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CheckedPage } from './event-page.ts'

export interface EventPart {
  url: string
  /** As `pg_export_snapshot` names it: the moment at which the log is read. */
  snapshot: string
  ledger: number
  from: bigint
  size: bigint
}

/** What is read is used once: with more room for what is new, less of it is copied as if it stayed. */
const YOUNG_MB = 96

/**
 * The events of the log in their order. Reading, hashing and checking them is most of the work of
 * verifying: a second core does it, over a connection of its own, while the pages are followed here.
 */
export async function* readEvents(part: EventPart): AsyncGenerator<CheckedPage> {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB }
  const options = { workerData: part, resourceLimits }
  const worker = new Worker(new URL('./event-worker.ts', import.meta.url), options)
  try {
    for await (const [page] of on(worker, 'message', { close: ['exit'] })) {
      worker.postMessage('taken')
      // Sent by event-worker.ts alone.
      const { leaves, ...rest } = page as CheckedPage
      // A buffer arrives as the bytes it was.
      const { buffer, byteOffset, byteLength } = leaves
      yield { ...rest, leaves: Buffer.from(buffer, byteOffset, byteLength) }
      if (rest.isLast) return
    }
    throw new Error('the thread that reads events ended early')
  } finally {
    await worker.terminate()
  }
}
