import type { Lane } from '@cairn/ledger-contracts'
import { runInChild } from './child.ts'

/** The job of the load process. */
export interface LoadJob {
  port: number
  token: string
  investors: readonly string[]
  connections: number
  commandsPerRequest: number
  lane: Lane
  seconds: number
  /** Requests per second over all connections; null: the next request follows each answer. */
  requestsPerSecond: number | null
}

export interface LoadResult {
  commandsPerSecond: number
  /** Latency of a request, measured from its due time. */
  p99Ms: number
}

export function runLoad(job: LoadJob): Promise<LoadResult> {
  return runInChild('load-process.ts', job)
}
