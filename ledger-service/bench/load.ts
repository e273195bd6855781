import type { Lane } from '@cairn/ledger-contracts'
import { runInChild } from './child.ts'

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

export function runLoad(job: LoadJob): Promise<LoadResult> {
  return runInChild('load-process.ts', job)
}
