import { parentPort, workerData } from 'node:worker_threads'
import { createPool } from '../service/database/pool.ts'
import { verifyLog } from './verify.ts'

const PROGRESS_EVERY_MS = 250

export interface VerificationTask {
  databaseUrl: string
  ledger: number
  since: bigint
}
export type VerificationMessage =
  | { kind: 'progress'; done: bigint; of: bigint }
  | { kind: 'done'; found: Awaited<ReturnType<typeof verifyLog>> }

// Started by `verifications.ts` alone, beside the writer and off its thread.
const { databaseUrl, ledger, since } = workerData as VerificationTask
const pool = createPool({ url: databaseUrl, max: 2, name: 'ledger-verify' })
let toldAtMs = 0
const found = await verifyLog(pool, {
  ledger,
  since,
  onProgress: (done, of) => {
    const nowMs = performance.now()
    if (nowMs - toldAtMs < PROGRESS_EVERY_MS) return
    toldAtMs = nowMs
    send({ kind: 'progress', done, of })
  },
})
send({ kind: 'done', found })
await pool.end()

function send(message: VerificationMessage): void {
  parentPort?.postMessage(message)
}
