import { parentPort, workerData } from 'node:worker_threads'
import { model } from '../domain/model.ts'
import { connectClient } from '../service/database/pool.ts'
import { replayLog } from './replay.ts'
import type { ReplayPart } from './replay-thread.ts'
import { joinSnapshot } from './snapshot.ts'

// Only replay-thread.ts starts this worker, which sends one message: the problems that it found.
const { url, snapshot, ledger, size } = workerData as ReplayPart
async function openSnapshot() {
  const client = await connectClient({ url, name: 'ledger-verify-replay', pipeline: false })
  await joinSnapshot(client, snapshot)
  return client
}
const [client, refusalClient] = await Promise.all([openSnapshot(), openSnapshot()])
parentPort?.postMessage(await replayLog({ client, refusalClient }, { ledger, size, model }))
await Promise.all([client.end(), refusalClient.end()])
parentPort?.close()
