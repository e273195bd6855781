import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Lane } from '@cairn/ledger-contracts'

/** What the load's own process is told to do. */
export interface LoadJob {
  port: number
  token: string
  investors: readonly string[]
  connections: number
  commandsPerRequest: number
  lane: Lane
  seconds: number
  /** Requests a second over all connections, sent when due; null: as fast as answers come. */
  requestsPerSecond: number | null
}

export interface LoadResult {
  commandsPerSecond: number
  /** Of a request, from when it was due. */
  p99Ms: number
}

/** Runs the load in a process of its own, as the service's real callers are. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'load-process.ts'))
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.once('message', (message) => {
        // Both ends are this folder's own.
        const result = message as LoadResult | { problem: string }
        if ('problem' in result) reject(new Error(result.problem))
        else resolve(result)
      })
      child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
      child.send(job)
    })
  } finally {
    child.kill()
  }
}
