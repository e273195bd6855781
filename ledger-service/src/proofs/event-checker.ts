import { Worker } from 'node:worker_threads'
import type { CheckedPage } from './event-page.ts'

export interface EventChecker {
  check(page: Buffer): Promise<CheckedPage>
  close(): Promise<void>
}

/** Hashing and reading events is half the work of verifying: a second core does it meanwhile. */
export function startEventChecker(ledger: number): EventChecker {
  const worker = new Worker(new URL('./event-worker.ts', import.meta.url))
  const waiting: { resolve(page: CheckedPage): void; reject(error: unknown): void }[] = []
  worker.on('message', ({ events, leaves }: CheckedPage) => {
    // A buffer arrives as the bytes it was.
    const { buffer, byteOffset, byteLength } = leaves
    waiting.shift()?.resolve({ events, leaves: Buffer.from(buffer, byteOffset, byteLength) })
  })
  worker.on('error', (error) => {
    for (const { reject } of waiting.splice(0)) reject(error)
  })
  return {
    check: (page) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        worker.postMessage({ ledger, page })
      }),
    close: async () => void (await worker.terminate()),
  }
}
