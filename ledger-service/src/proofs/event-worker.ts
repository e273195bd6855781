import { parentPort } from 'node:worker_threads'
import { checkPage } from './event-page.ts'

// Pages come from event-checker.ts alone, and are answered in their order.
parentPort?.on('message', ({ ledger, page }: { ledger: number; page: Uint8Array }) => {
  parentPort?.postMessage(
    checkPage(ledger, Buffer.from(page.buffer, page.byteOffset, page.byteLength)),
  )
})
