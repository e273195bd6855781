import { runInChild } from './child.ts'

/** The callers of the product's client. Each waits for its answer before it submits again. */
export interface CallersJob {
  port: number
  token: string
  investors: readonly string[]
  callers: number
  seconds: number
}

export interface CallersResult {
  perSecond: number
  /** The 99th percentile of the latency of one command, in milliseconds. */
  p99Ms: number
}

export function runCallers(job: CallersJob): Promise<CallersResult> {
  return runInChild('callers-process.ts', job)
}
