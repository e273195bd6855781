import type { Lane } from '@cairn/ledger-contracts'
import { runInChild } from './child.ts'

/** The requests that the load process sends. */
export interface LoadJob {
  port: number
  token: string
  investors: readonly string[]
  connections: number
  commandsPerRequest: number
  lane: Lane
  seconds: number
  /**
   * Requests per second over all connections. If null, each connection sends its next request as
   * soon as its previous request is answered.
   */
  requestsPerSecond: number | null
}

export interface LoadResult {
  commandsPerSecond: number
  /** The 99th percentile of the latency, measured from the time at which a request is due. */
  p99Ms: number
}

export function runLoad(job: LoadJob): Promise<LoadResult> {
  return runInChild('load-process.ts', job)
}
