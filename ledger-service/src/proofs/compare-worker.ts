import { parentPort, workerData } from 'node:worker_threads'
import type pg from 'pg'
import { model } from '../domain/model.ts'
import { connectClient } from '../service/database/pool.ts'
import { type ComparedLog, compareLog } from './compare-log.ts'
import type { ComparedPart, ComparisonMessage } from './compare-thread.ts'
import { OutOfPlace } from './ordered-postings.ts'
import { joinSnapshot } from './snapshot.ts'
import { readVerifiedState } from './verified-state.ts'

// This code runs in a worker that compare-thread.ts starts.
const { url, snapshot, ledger, size, root, lastRecordedAtMs } = workerData as ComparedPart
const { stateFolder, isContinued, pageRows, apartMax } = workerData as ComparedPart
// A Buffer that was sent from another thread arrives as a Uint8Array.
const head = { size, root: Buffer.from(root), lastRecordedAtMs }

send({ kind: 'done', compared: await compareSnapshot() })
parentPort?.close()

async function compareSnapshot(): Promise<ComparedLog> {
  try {
    return await compareOnNewConnections(false)
  } catch (error) {
    if (!(error instanceof OutOfPlace)) throw error
    return await compareOnNewConnections(true)
  }
}

async function compareOnNewConnections(isSorted: boolean): Promise<ComparedLog> {
  const clients = await Promise.all([openSnapshot(), openSnapshot(), openSnapshot()])
  try {
    return await compareOn(clients, isSorted)
  } finally {
    // If a COPY is still in progress, `end` closes the connection without waiting for it.
    await Promise.all(clients.map((one) => one.end().catch(() => {})))
  }
}

async function compareOn(
  [client, eventsClient, postingsClient]: readonly [pg.Client, pg.Client, pg.Client],
  isSorted: boolean,
): Promise<ComparedLog> {
  // The postings are read by a sequential scan in physical order. If the server must sort them, it
  // uses memory up to this limit.
  await postingsClient.query(
    'set local max_parallel_workers_per_gather = 0; set local synchronize_seqscans = off; ' +
      "set local work_mem = '256MB'",
  )
  const isRead = isContinued && stateFolder !== null
  const state = isRead
    ? await readVerifiedState({ folder: stateFolder, ledger }, model.tables)
    : null
  if (isContinued && state === null) throw new Error('the verified state was removed')
  const onProgress = (done: bigint) => send({ kind: 'progress', done })
  return compareLog(
    { client, eventsClient, postingsClient },
    { ledger, head, state, isSorted, pageRows, apartMax, onProgress },
  )
}

async function openSnapshot() {
  const client = await connectClient({ url, name: 'ledger-verify', pipeline: false })
  await joinSnapshot(client, snapshot)
  return client
}

function send(message: ComparisonMessage): void {
  parentPort?.postMessage(message)
}
