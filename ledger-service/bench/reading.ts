import { runInChild } from './child.ts'

export interface ReadingJob {
  port: number
  token: string
  warmUpSeconds: number
  seconds: number
  /** Reads the newest page and balances of an investor, or inclusion proofs of a log of that size. */
  subject: { investors: readonly string[] } | { size: number }
}

/** Reads sequentially. Returns the 99th percentile in milliseconds. */
export function measureReadingP99(job: ReadingJob): Promise<number> {
  return runInChild('reading-process.ts', job)
}
