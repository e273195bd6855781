import { parentPort, workerData } from 'node:worker_threads'
import { createPool } from '../service/database/pool.ts'
import { verifyLog } from './verify.ts'

const PROGRESS_EVERY_MS = 250

export interface VerificationTask {
  databaseUrl: string
  ledger: number
  since: bigint
  stateFolder: string
}
export type VerificationMessage =
  | { kind: 'progress'; done: bigint; of: bigint }
  | { kind: 'done'; found: Awaited<ReturnType<typeof verifyLog>> }

// This code runs in a worker thread, so that a verification does not block the writer.
const { databaseUrl, ledger, since, stateFolder } = workerData as VerificationTask
const pool = createPool({ url: databaseUrl, max: 2, name: 'ledger-verify' })
let reportedAtMs = 0
const found = await verifyLog(pool, {
  ledger,
  since,
  stateFolder,
  onProgress: (done, of) => {
    const nowMs = performance.now()
    if (nowMs - reportedAtMs < PROGRESS_EVERY_MS) return
    reportedAtMs = nowMs
    send({ kind: 'progress', done, of })
  },
})
send({ kind: 'done', found })
await pool.end()

function send(message: VerificationMessage): void {
  parentPort?.postMessage(message)
}
