import { parentPort, workerData } from 'node:worker_threads'
import { model } from '../domain/model.ts'
import { connectClient } from '../service/database/pool.ts'
import type { VerifiedPart } from './compare-thread.ts'
import { replayLog } from './replay.ts'
import { joinSnapshot } from './snapshot.ts'
import { readVerifiedState, writeVerifiedState } from './verified-state.ts'

// Only replay-thread.ts starts this worker, which sends one message: the problems that it found.
const { url, snapshot, ledger, size, root, fork, stateFolder, isContinued } =
  workerData as VerifiedPart
const { tables } = model
const place = stateFolder === null ? null : { folder: stateFolder, ledger }
async function openSnapshot() {
  const client = await connectClient({ url, name: 'ledger-verify-replay', pipeline: false })
  await joinSnapshot(client, snapshot)
  return client
}
const [client, refusalClient] = await Promise.all([openSnapshot(), openSnapshot()])
const state = place !== null && isContinued ? await readVerifiedState(place, tables) : null
if (isContinued && state === null) throw new Error('the verified state was removed')
const problems = await replayLog(
  { client, refusalClient },
  {
    ledger,
    size,
    model,
    state,
    keepState: ({ rows, refusals }) => {
      if (place === null) return
      // A buffer arrives in the thread as an array.
      const [rootBytes, forkBytes] = [Buffer.from(root), fork === null ? null : Buffer.from(fork)]
      writeVerifiedState(place, { size, root: rootBytes, fork: forkBytes, refusals, rows, tables })
    },
  },
)
parentPort?.postMessage(problems)
await Promise.all([client.end(), refusalClient.end()])
parentPort?.close()
